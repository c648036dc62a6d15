import { mostFrequent } from '../../../numbers/mean.ts'

type Grouped = {
  readonly rows: readonly Float32Array[]
  /** The rows of each sentence, which has one voice. */
  readonly sentences: readonly (readonly number[])[]
  /** The group of each row. */
  readonly labels: readonly number[]
}

type ApartRule = {
  readonly most: number
  /** Only sentences that are farther than this from all groups are set apart. */
  readonly least: number
  /** How much of its distance counts if a sentence has only one row, which tells less. */
  readonly shortShare: number
}

type SetApart = {
  readonly labels: readonly number[]
  /** How far the nearest sentence that was set apart is from all others. */
  readonly least: number
  /** How far the farthest sentence that was not set apart is from its group, and the farthest with only one row. */
  readonly left: number
  readonly leftShort: number
}

/** Makes each sentence that is far from all groups a group of its own: a person who said no more than this. */
export function setApart({ rows, sentences, labels }: Grouped, rule: ApartRule): SetApart {
  const own = labels.slice()
  const piles = sentences.map((places) => pileOf(places.map((at) => rows[at] ?? empty)))
  const groupOf = sentences.map((places) => mostFrequent(places.map((at) => labels[at] ?? 0)))
  let least = Infinity
  for (let made = 0; ; made++) {
    const groups = sumGroups(piles, groupOf)
    const offs = piles.map((pile, i) => distanceToNearest(pile, groupOf[i] ?? 0, groups))
    const [farthest, distance] = farthestOf(piles, offs, rule.shortShare)
    if (made >= rule.most || farthest < 0 || distance <= rule.least) {
      return { labels: own, least, ...leftIn(piles, offs) }
    }
    least = Math.min(least, distance)
    const added = Math.max(...groups.piles.keys()) + 1
    const moved = withAlike(piles, groupOf, { farthest, offs, within: groups.within })
    for (const i of moved) {
      groupOf[i] = added
      for (const at of sentences[i] ?? []) own[at] = added
    }
  }
}

const empty = new Float32Array()

/** Some rows together: how many there are, their sum, and the sum of all their squares. */
type Pile = { count: number; squares: number; readonly sum: Float64Array }

function pileOf(rows: readonly Float32Array[]): Pile {
  const sum = new Float64Array(rows[0]?.length ?? 0)
  let squares = 0
  for (const row of rows) {
    for (let at = 0; at < sum.length; at++) {
      const value = row[at] ?? 0
      sum[at] = (sum[at] ?? 0) + value
      squares += value * value
    }
  }
  return { count: rows.length, squares, sum }
}

type Groups = {
  readonly piles: ReadonlyMap<number, Pile>
  /** How much the rows of one group vary, as a mean over all groups. */
  readonly within: number
}

function sumGroups(piles: readonly Pile[], groupOf: readonly number[]): Groups {
  const groups = new Map<number, Pile>()
  for (const [i, { count, squares, sum }] of piles.entries()) {
    const known = groups.get(groupOf[i] ?? 0)
    if (known) {
      known.count += count
      known.squares += squares
      for (let at = 0; at < sum.length; at++) known.sum[at] = (known.sum[at] ?? 0) + (sum[at] ?? 0)
    } else groups.set(groupOf[i] ?? 0, { count, squares, sum: sum.slice() })
  }
  let [varied, free] = [0, 0]
  for (const { count, squares, sum } of groups.values()) {
    varied += squares - sum.reduce((all, value) => all + value * value, 0) / count
    free += count - 1
  }
  return { piles: groups, within: varied / Math.max(1, free) + 1e-9 }
}

/** The distance from the nearest group, without what the sentence itself adds to it; undefined if it is alone in its group. */
function distanceToNearest(pile: Pile, group: number, groups: Groups): number | undefined {
  let nearest: number | undefined
  for (const [other, all] of groups.piles) {
    const isOwn = other === group
    if (isOwn && all.count === pile.count) return undefined
    const distance = distanceOf(pile, all, groups.within, isOwn)
    nearest = Math.min(nearest ?? Infinity, distance)
  }
  return nearest
}

/** The squared distance of two means relative to the variance within a voice, without the part that chance explains. */
function distanceOf(pile: Pile, group: Pile, within: number, isOwn: boolean): number {
  const rest = group.count - (isOwn ? pile.count : 0)
  let between = 0
  for (let at = 0; at < pile.sum.length; at++) {
    const mine = pile.sum[at] ?? 0
    const theirs = (group.sum[at] ?? 0) - (isOwn ? mine : 0)
    between += (mine / pile.count - theirs / rest) ** 2
  }
  return between / within - 1 / pile.count - 1 / rest
}

function farthestOf(
  piles: readonly Pile[],
  offs: readonly (number | undefined)[],
  shortShare: number,
): [number, number] {
  let [farthest, most] = [-1, -Infinity]
  for (const [i, off] of offs.entries()) {
    if (off === undefined) continue
    const isShort = (piles[i]?.count ?? 0) < 2
    if (isShort && shortShare === 0) continue
    const distance = isShort ? off * shortShare : off
    if (distance > most) [farthest, most] = [i, distance]
  }
  return [farthest, most]
}

/** A row that differs by less than this from its own group stays there. */
const doubtful = 0.25

/** The sentence, and those of its group that are doubtful there and nearer to it. */
function withAlike(
  piles: readonly Pile[],
  groupOf: readonly number[],
  {
    farthest,
    offs,
    within,
  }: { farthest: number; offs: readonly (number | undefined)[]; within: number },
): number[] {
  const one = piles[farthest]
  if (!one) return []
  return piles.flatMap((pile, i) => {
    if (i === farthest) return [i]
    const off = offs[i] ?? 0
    const isAlike =
      groupOf[i] === groupOf[farthest] &&
      off > doubtful &&
      distanceOf(pile, one, within, false) < off
    return isAlike ? [i] : []
  })
}

function leftIn(piles: readonly Pile[], offs: readonly (number | undefined)[]) {
  let [left, leftShort] = [0, 0]
  for (const [i, off = 0] of offs.entries()) {
    if ((piles[i]?.count ?? 0) < 2) leftShort = Math.max(leftShort, off)
    else left = Math.max(left, off)
  }
  return { left, leftShort }
}
