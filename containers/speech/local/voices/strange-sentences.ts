import { meanOf, medianOf } from '../../../numbers/mean.ts'

type Views = {
  /** The same rows, described in more than one way. */
  readonly views: readonly (readonly Float32Array[])[]
  /** How long each row is, in seconds. */
  readonly seconds: readonly number[]
  /** The rows of each sentence, which has one voice. */
  readonly sentences: readonly (readonly number[])[]
  /** The group of each row. */
  readonly labels: readonly number[]
}

/** At most `most` sentences become groups. Each is at least as strange as `least`, and has at most `longest` rows. */
type StrangeRule = { readonly most: number; readonly least: number; readonly longest: number }

/** Makes each sentence that is stranger than others of its length a group of its own, and tells how strange the rest is. */
export function setStrangeApart(
  said: Views,
  rule: StrangeRule,
): { labels: number[]; left: number } {
  const labels = said.labels.slice()
  for (let made = 0; ; made++) {
    const scores = strangeness({ ...said, labels })
    const left = Math.max(0, ...scores)
    const single = scores.map((score, i) =>
      (said.sentences[i]?.length ?? 0) <= rule.longest ? score : 0,
    )
    const most = Math.max(0, ...single)
    if (made >= rule.most || most < rule.least) return { labels, left }
    const added = Math.max(...labels) + 1
    for (const at of said.sentences[single.indexOf(most)] ?? []) labels[at] = added
  }
}

/**
 * How far each sentence is from the nearest group for its length, in standard deviations, added over all views: the shorter a
 * sentence, the farther away it is by chance.
 */
function strangeness({ views, seconds, sentences, labels }: Views): number[] {
  const lengths = sentences.map((places) =>
    Math.log(places.reduce((sum, at) => sum + (seconds[at] ?? 0), 1e-3)),
  )
  const total = sentences.map(() => 0)
  for (const rows of views) {
    const offs = distances(rows, sentences, labels)
    const known = [...offs.keys()].filter((i) => offs[i] !== undefined)
    const rests = aboveLine(
      known.map((i) => lengths[i] ?? 0),
      known.map((i) => Math.log((offs[i] ?? 0) + 1e-9)),
    )
    for (const [n, i] of known.entries()) total[i] = (total[i] ?? 0) + (rests[n] ?? 0)
  }
  return total
}

/** Each sentence from the nearest group without itself, squared; undefined if it is alone in its group. */
function distances(
  rows: readonly Float32Array[],
  sentences: Views['sentences'],
  labels: readonly number[],
): (number | undefined)[] {
  const groups = new Map<number, { count: number; sum: Float64Array }>()
  for (const [i, row] of rows.entries()) {
    const group = groups.get(labels[i] ?? 0) ?? { count: 0, sum: new Float64Array(row.length) }
    groups.set(labels[i] ?? 0, group)
    group.count++
    addTo(group.sum, row)
  }
  return sentences.map((places) => {
    const sum = new Float64Array(rows[0]?.length ?? 0)
    for (const at of places) addTo(sum, rows[at] ?? new Float32Array())
    let nearest: number | undefined
    for (const [label, group] of groups) {
      const own = places.filter((at) => labels[at] === label).length
      if (own === group.count) return undefined
      // Sentences of two groups are rare, and nearly all of one is in the nearer.
      const isOwn = own * 2 > places.length
      const rest = { count: group.count - (isOwn ? places.length : 0), own: isOwn ? 1 : 0 }
      if (rest.count <= 0) return undefined
      let off = 0
      for (let at = 0; at < sum.length; at++) {
        const mine = sum[at] ?? 0
        off += (mine / places.length - ((group.sum[at] ?? 0) - rest.own * mine) / rest.count) ** 2
      }
      nearest = Math.min(nearest ?? Infinity, off)
    }
    return nearest
  })
}

function addTo(sum: Float64Array, row: Float32Array): void {
  for (let at = 0; at < row.length; at++) sum[at] = (sum[at] ?? 0) + (row[at] ?? 0)
}

/** How far values are above their straight line, in standard deviations that a few of them do not change. */
function aboveLine(xs: readonly number[], ys: readonly number[]): number[] {
  const [x0, y0] = [meanOf(xs), meanOf(ys)]
  const along = xs.reduce((sum, x, i) => sum + (x - x0) * ((ys[i] ?? 0) - y0), 0)
  const slope = along / xs.reduce((sum, x) => sum + (x - x0) ** 2, 1e-9)
  const rests = ys.map((y, i) => y - y0 - slope * ((xs[i] ?? 0) - x0))
  const deviation = 1.48 * medianOf(rests.map(Math.abs)) + 1e-9
  return rests.map((rest) => rest / deviation)
}
