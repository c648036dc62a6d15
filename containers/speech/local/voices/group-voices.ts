import { joinNearest } from './join-nearest.ts'
import { setApart } from './set-apart.ts'

/**
 * How a voice sounds over a few seconds: `values`, as many for every print, first means over its frames and then as many deviations
 * from them. Short prints tell too little.
 */
export type VoicePrint = {
  readonly values: Float32Array
  readonly seconds: number
  /** Whether it goes on in the sentence of the one before, and so most likely in its voice. */
  readonly goesOn: boolean
}

export type VoiceGroups = {
  /** The group of each print, numbered by their first print. */
  readonly groups: readonly number[]
  readonly certain: boolean
}

/** Prints of less speech are only assigned. */
const leastSeconds = 0.7
/** The time for grouping grows with the square of them. */
const mostGrouped = 1_000
const mostVoices = 10
/** A group has at least this many prints. */
const leastPrints = 2
/** Less than this, some fifty seconds of speech, is never certain. */
const certainPrints = 30
/** Fewer neighbours inside sentences tell too little of how much a voice changes; their frames tell it then. */
const leastNeighbours = 6
/** Short or disturbed prints are farther from all others. None counts as farther from the middle than this, by the median. */
const mostLength = 1.3

/**
 * How far two voices are from each other, by the variance within one voice: halves of one voice are up to 0.35 apart, and
 * two people mostly 0.5 to 2. `asked`: it is certain that as many people as somebody said are apart. decision 072 has the figures.
 */
const apart = { least: 0.38, certain: 0.6, same: 0.35, asked: 0.45 }

/** Groups prints, in the order in which they were heard, by voice: into `count` groups if that is known. */
export function groupVoices(prints: readonly VoicePrint[], count?: number): VoiceGroups {
  const usable = prints.flatMap(({ seconds }, i) => (seconds >= leastSeconds ? [i] : []))
  const inSentence = new Set(
    usable.flatMap((i, at) => (prints[i]?.goesOn && usable[at - 1] === i - 1 ? [at] : [])),
  )
  const values = usable.map((i) => prints[i]?.values ?? new Float32Array())
  if (count === 1 || values.length < 2 * leastPrints) {
    return { groups: prints.map(() => 0), certain: count === 1 }
  }
  const scaled = inVoiceUnits(values, inSentence)
  // Without enough neighbours, nothing tells how much two recordings differ.
  const chosen = inSentence.size < leastNeighbours ? [...scaled.keys()] : withoutRepeats(scaled)
  const rows = noneFarOff(scaled, chosen)
  const sentences: number[][] = []
  for (const i of rows.keys()) {
    if (inSentence.has(i)) sentences.at(-1)?.push(i)
    else sentences.push([i])
  }
  const told = { rows, sentences, joined: joinVoices({ rows, chosen, inSentence }, count) }
  const { labels, certain } = count === undefined ? howMany(told) : asAsked(told, count)
  return { groups: numbered(spread(prints.length, usable, labels)), certain }
}

type Rows = readonly Float32Array[]
type Labels = readonly number[]

type Told = {
  readonly rows: Rows
  /** The rows of each sentence. */
  readonly sentences: readonly (readonly number[])[]
  /** The group of each row for some numbers of groups, and how far apart these are. */
  readonly joined: ReadonlyMap<number, { readonly labels: Labels; readonly gap: number }>
}

type Joining = {
  readonly rows: Rows
  readonly chosen: readonly number[]
  readonly inSentence: ReadonlySet<number>
}

function joinVoices({ rows, chosen, inSentence }: Joining, count: number | undefined) {
  const smooth = smoothed(rows, inSentence)
  const mostGroups = Math.min(mostVoices + 1, Math.floor(chosen.length / leastPrints))
  const joined = joinNearest(
    chosen.map((i) => ofLengthOne(smooth[i] ?? new Float32Array())),
    Math.max(mostGroups, count ?? 1),
  )
  const own = chosen.map((i) => rows[i] ?? new Float32Array())
  return new Map(
    Object.entries(joined).map(([key, labels]) => {
      const k = Number(key)
      const means = meansOf(own, labels, k)
      const nearest = rows.map((row) => nearestTo(row, means))
      return [k, { labels: nearest, gap: k === 1 ? Infinity : gapOf(own, labels, k) }]
    }),
  )
}

/**
 * Two prints of one voice differ by 2 in the mean of their squares, since each value varies by 1; less than this is the same
 * recording once more.
 */
const sameRecording = 0.4

/**
 * Which prints are grouped, from the whole length. What was recorded once and is played again and again, such as a jingle, says no more
 * about a voice than once: its few prints would be taken for voices of their own, because they vary so little.
 */
function withoutRepeats(rows: Rows): number[] {
  const step = Math.max(1, rows.length / mostGrouped)
  const kept: number[] = []
  for (const [place, row] of rows.entries()) {
    const isSpread = Math.floor(place / step) !== Math.floor((place - 1) / step)
    if (isSpread && kept.every((other) => !isSame(row, rows[other] ?? row))) kept.push(place)
  }
  return kept
}

function isSame(one: Float32Array, other: Float32Array): boolean {
  const most = sameRecording * one.length
  let sum = 0
  for (let at = 0; at < one.length && sum <= most; at++) {
    sum += ((one[at] ?? 0) - (other[at] ?? 0)) ** 2
  }
  return sum <= most
}

/**
 * The most groups of which each two are clearly different voices, and those who say one sentence that is far from all of them. It is
 * certain only if none of these is near another one, and nothing that is left could be one more.
 */
function howMany({ rows, sentences, joined }: Told): { labels: Labels; certain: boolean } {
  const isApart = (k: number): boolean => (joined.get(k)?.gap ?? 0) > apart.least
  let k = 1
  while (k < mostVoices && isApart(k + 1)) k++
  const { labels, gap } = joined.get(k) ?? { labels: rows.map(() => 0), gap: Infinity }
  const rejected = [...joined].filter(([other]) => other > k).map(([, other]) => other.gap)
  const limits = limitsFor(sentences.length)
  const lone = setApart(
    { rows, sentences, labels },
    { most: mostVoices - k, least: limits.lone, shortShare: 0 },
  )
  const certain =
    rows.length >= certainPrints &&
    Math.min(gap, lone.least) >= apart.certain &&
    Math.max(0, ...rejected) <= apart.same &&
    lone.left <= limits.left &&
    lone.leftShort <= limits.leftShort
  return { labels: lone.labels, certain }
}

/** Among more sentences the farthest one is farther off. */
function limitsFor(sentences: number): { lone: number; left: number; leftShort: number } {
  const more = Math.max(0, Math.log10(sentences / 40))
  return { lone: 0.5 + 0.15 * more, left: 0.38 + 0.15 * more, leftShort: 0.55 + 0.25 * more }
}

/** As many groups as asked for, some of them of one sentence only: of all such groupings the one whose voices are farthest apart. */
function asAsked(
  { rows, sentences, joined }: Told,
  count: number,
): { labels: Labels; certain: boolean } {
  let best = { labels: joined.get(1)?.labels ?? rows.map(() => 0), least: -Infinity }
  for (const [k, { labels, gap }] of joined) {
    if (k > count) continue
    const rule = { most: count - k, least: -Infinity, shortShare: 0.5 }
    const lone = setApart({ rows, sentences, labels }, rule)
    const least = Math.min(gap, lone.least)
    if (new Set(lone.labels).size === count && least > best.least) best = { ...lone, least }
  }
  return { labels: best.labels, certain: best.least > apart.asked }
}

/** Centres the prints, and scales each of their values by how much it changes in the same voice. */
function inVoiceUnits(rows: Rows, inSentence: ReadonlySet<number>): Float32Array[] {
  const size = rows[0]?.length ?? 0
  const scaled = rows.map(() => new Float32Array(size))
  const changeOf = inSentence.size < leastNeighbours ? changeInFrames : changeInSentences
  for (let at = 0; at < size; at++) {
    const mean = meanAt(rows, at)
    const scale = 1 / (changeOf(rows, at, inSentence) + 1e-6)
    for (const [i, row] of rows.entries()) {
      const into = scaled[i]
      if (into) into[at] = ((row[at] ?? 0) - mean) * scale
    }
  }
  return scaled
}

/**
 * How much a value changes inside sentences: that is what is said, in the same voice. The median leaves out where the voices change
 * all the same.
 */
function changeInSentences(rows: Rows, at: number, inSentence: ReadonlySet<number>): number {
  /** The median of a squared normal value is 0.455 of its mean; a difference has twice the variance. */
  const ofMedian = 0.455 * 2
  const changes = Float32Array.from(
    inSentence,
    (place) => ((rows[place]?.[at] ?? 0) - (rows[place - 1]?.[at] ?? 0)) ** 2,
  )
  return Math.sqrt((changes.sort()[changes.length >> 1] ?? 0) / ofMedian)
}

/** How much it changes within prints, which a few sentences tell too. */
function changeInFrames(rows: Rows, at: number): number {
  const half = (rows[0]?.length ?? 0) / 2
  return meanAt(rows, at < half ? at + half : at)
}

function meanAt(rows: Rows, at: number): number {
  let mean = 0
  for (const row of rows) mean += (row[at] ?? 0) / rows.length
  return mean
}

function noneFarOff(rows: Rows, chosen: readonly number[]): Float32Array[] {
  const lengths = rows.map(lengthOf)
  const sorted = chosen.map((place) => lengths[place] ?? 0).sort((a, b) => a - b)
  const most = mostLength * (sorted[sorted.length >> 1] ?? 0)
  return rows.map((row, i) => {
    const scale = Math.min(1, most / ((lengths[i] ?? 0) + 1e-9))
    return row.map((value) => value * scale)
  })
}

function lengthOf(row: Float32Array): number {
  let sum = 0
  for (const value of row) sum += value * value
  return Math.sqrt(sum)
}

/** Neighbours inside a sentence are mostly of the same voice. */
function smoothed(rows: Rows, inSentence: ReadonlySet<number>): Float32Array[] {
  return rows.map((row, i) => {
    const before = (inSentence.has(i) ? rows[i - 1] : undefined) ?? row
    const after = (inSentence.has(i + 1) ? rows[i + 1] : undefined) ?? row
    return row.map((value, at) => ((before[at] ?? 0) + 2 * value + (after[at] ?? 0)) / 4)
  })
}

function ofLengthOne(row: Float32Array): Float32Array {
  const scale = 1 / (lengthOf(row) + 1e-9)
  return row.map((value) => value * scale)
}

function meansOf(rows: Rows, labels: readonly number[], k: number): Float32Array[] {
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

/**
 * The least distance between two groups: the square of that of their means, by how much one voice varies, and without what chance
 * alone would make of it.
 */
function gapOf(rows: Rows, labels: Labels, k: number): number {
  const means = meansOf(rows, labels, k)
  const counts = means.map((_, group) => labels.filter((label) => label === group).length)
  if (Math.min(...counts) < leastPrints) return 0
  const varied = rows.reduce((sum, row, i) => sum + between(row, means[labels[i] ?? 0] ?? row), 0)
  const within = varied / Math.max(1, rows.length - k) + 1e-9
  const gaps = means.flatMap((mean, one) =>
    means.slice(0, one).map((other, two) => {
      const [m, n] = [counts[one] ?? 1, counts[two] ?? 1]
      return between(mean, other) / within - 1 / m - 1 / n
    }),
  )
  return Math.min(...gaps)
}

function between(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let at = 0; at < one.length; at++) sum += ((one[at] ?? 0) - (other[at] ?? 0)) ** 2
  return sum
}

function nearestTo(row: Float32Array, means: Rows): number {
  let [best, least] = [0, Infinity]
  for (const [group, mean] of means.entries()) {
    const distance = between(row, mean)
    if (distance < least) [best, least] = [group, distance]
  }
  return best
}

/** What is too short belongs to the voice before it. */
function spread(length: number, usable: readonly number[], groups: readonly number[]): number[] {
  const known = new Map(usable.map((at, i) => [at, groups[i] ?? 0]))
  let group = groups[0] ?? 0
  return Array.from({ length }, (_, i) => (group = known.get(i) ?? group))
}

/** Numbers groups by where they appear first. */
function numbered(groups: readonly number[]): number[] {
  const order = [...new Set(groups)]
  return groups.map((group) => order.indexOf(group))
}
