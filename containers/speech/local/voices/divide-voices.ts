import { squaredDistance, type Tree } from './join-nearest.ts'

/** The group of each row, and how far the nearest two groups are from each other. */
export type DividedRows = { readonly labels: readonly number[]; readonly gap: number }

export type Dividing = {
  /** A group has at least this many rows. */
  readonly leastRows: number
  /** Which group is divided next: the one that was joined last, or the one whose parts are farthest from all others. */
  readonly next: 'latest' | 'farthest'
  /** A few rows that were chosen because they differ are this far from the others by choice alone, divided by their number. */
  readonly byChoice: number
}

/**
 * Divides rows by their tree, from one group to as many as possible. By the order in which they were joined, a large group
 * would be divided before two small ones are parted.
 */
export function divideVoices(
  tree: Tree,
  rows: readonly Float32Array[],
  limits: Dividing & { readonly mostGroups: number },
): Map<number, DividedRows> {
  let groups = [tree]
  const divisions = new Map<number, DividedRows>([
    [1, { labels: rows.map(() => 0), gap: Infinity }],
  ])
  while (groups.length < limits.mostGroups) {
    const next = divideNext(groups, rows, limits)
    if (!next) break
    groups = next.groups
    divisions.set(groups.length, next.division)
  }
  return divisions
}

function divideNext(
  groups: readonly Tree[],
  rows: readonly Float32Array[],
  { leastRows, next, byChoice }: Dividing,
) {
  let best: { groups: Tree[]; division: DividedRows } | undefined
  const latest = Math.max(...groups.map(({ joinedAs }) => joinedAs))
  for (const [i, { parts, joinedAs }] of groups.entries()) {
    if (!parts || parts.some(({ places }) => places.length < leastRows)) continue
    if (next === 'latest' && joinedAs !== latest) continue
    const divided = groups.toSpliced(i, 1, ...parts)
    const labels = labelsOf(divided, rows.length)
    const gap = gapOf(rows, labels, byChoice)
    if (!best || gap > best.division.gap) best = { groups: divided, division: { labels, gap } }
  }
  return best
}

function labelsOf(groups: readonly Tree[], length: number): number[] {
  const labels = new Array<number>(length).fill(0)
  for (const [group, { places }] of groups.entries()) {
    for (const place of places) labels[place] = group
  }
  return labels
}

/**
 * The smallest distance between two groups: the square of that of their means, relative to how much one voice varies, and
 * without the part that chance and choice alone explain.
 */
function gapOf(rows: readonly Float32Array[], labels: readonly number[], byChoice: number): number {
  const k = Math.max(...labels) + 1
  const means = meansOf(rows, labels, k)
  const counts = means.map((_, group) => labels.filter((label) => label === group).length)
  const varied = rows.reduce(
    (sum, row, i) => sum + squaredDistance(row, means[labels[i] ?? 0] ?? row),
    0,
  )
  const within = varied / Math.max(1, rows.length - k) + 1e-9
  const gaps = means.flatMap((mean, one) =>
    means.slice(0, one).map((other, two) => {
      const [m, n] = [counts[one] ?? 1, counts[two] ?? 1]
      return squaredDistance(mean, other) / within - 1 / m - 1 / n - byChoice / Math.min(m, n)
    }),
  )
  return Math.min(...gaps)
}

export function meansOf(
  rows: readonly Float32Array[],
  labels: readonly number[],
  k: number,
): Float32Array[] {
  const size = rows[0]?.length ?? 0
  const counts = new Array<number>(k).fill(0)
  const means = Array.from({ length: k }, () => new Float32Array(size))
  for (const label of labels) counts[label] = (counts[label] ?? 0) + 1
  for (const [i, row] of rows.entries()) {
    const label = labels[i] ?? 0
    const [mean, count] = [means[label], counts[label] ?? 1]
    if (mean) for (let at = 0; at < size; at++) mean[at] = (mean[at] ?? 0) + (row[at] ?? 0) / count
  }
  return means
}

export function nearestTo(row: Float32Array, means: readonly Float32Array[]): number {
  let [best, least] = [0, Infinity]
  for (const [group, mean] of means.entries()) {
    const distance = squaredDistance(row, mean)
    if (distance < least) [best, least] = [group, distance]
  }
  return best
}
