/**
 * Joins vectors into ever fewer groups, each time the two groups whose union spreads least (Ward's method), and returns the
 * group of each vector for every number of groups up to `most`.
 */
export function joinNearest(
  vectors: readonly Float32Array[],
  most: number,
): Record<number, number[]> {
  const n = vectors.length
  const distances = distancesOf(vectors)
  const sizes = new Float64Array(n).fill(1)
  const labels = vectors.map((_, i) => i)
  const alive = new Set(labels)
  const result: Record<number, number[]> = {}
  // The nearest other group of each, so that a step looks through one row.
  const nearest = labels.map((i) => nearestOf(i, alive, distances, n))
  for (let left = n; left >= 1; left--) {
    if (left <= most) result[left] = renumbered(labels)
    if (left === 1) break
    let [a, least] = [-1, Infinity]
    for (const i of alive) {
      const distance = distances[i * n + (nearest[i] ?? 0)] ?? Infinity
      if (distance < least) [a, least] = [i, distance]
    }
    const b = nearest[a] ?? 0
    const [sa, sb] = [sizes[a] ?? 1, sizes[b] ?? 1]
    alive.delete(b)
    for (const c of alive) {
      if (c === a) continue
      const sc = sizes[c] ?? 1
      const [ac, bc] = [distances[a * n + c] ?? 0, distances[b * n + c] ?? 0]
      const joined = ((sa + sc) * ac + (sb + sc) * bc - sc * least) / (sa + sb + sc)
      distances[a * n + c] = joined
      distances[c * n + a] = joined
    }
    sizes[a] = sa + sb
    for (let i = 0; i < n; i++) if (labels[i] === b) labels[i] = a
    for (const c of alive) {
      const stale = c === a || nearest[c] === a || nearest[c] === b
      if (stale) nearest[c] = nearestOf(c, alive, distances, n)
    }
  }
  return result
}

/** Squared. */
function distancesOf(vectors: readonly Float32Array[]): Float64Array {
  const n = vectors.length
  const distances = new Float64Array(n * n).fill(Infinity)
  for (const [i, a] of vectors.entries()) {
    for (let j = 0; j < i; j++) {
      const b = vectors[j] ?? a
      let sum = 0
      for (let at = 0; at < a.length; at++) sum += ((a[at] ?? 0) - (b[at] ?? 0)) ** 2
      distances[i * n + j] = sum
      distances[j * n + i] = sum
    }
  }
  return distances
}

function nearestOf(i: number, alive: Set<number>, distances: Float64Array, n: number): number {
  let [best, least] = [i, Infinity]
  for (const j of alive) {
    const distance = distances[i * n + j] ?? Infinity
    if (j !== i && distance < least) [best, least] = [j, distance]
  }
  return best
}

function renumbered(labels: readonly number[]): number[] {
  const order = new Map([...new Set(labels)].map((label, i) => [label, i]))
  return labels.map((label) => order.get(label) ?? 0)
}
