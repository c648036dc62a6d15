import { joinNearest } from './join-nearest.ts'

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
/** Less than this, a minute of speech, is never certain. */
const certainPrints = 36
/** Fewer neighbours inside sentences tell too little of how much a voice changes; their frames tell it then. */
const leastNeighbours = 6

/**
 * How far two voices are from each other, by the variance within one voice: halves of one voice are up to 0.3 apart, and
 * two people mostly 0.45 to 2. Between the two limits it is not certain. decision 072 has the figures.
 */
const apart = { least: 0.4, certain: 0.46, same: 0.27 }

/** Groups prints, in the order in which they were heard, by voice: into `count` groups if that is known. */
export function groupVoices(prints: readonly VoicePrint[], count?: number): VoiceGroups {
  const usable = prints.flatMap(({ seconds }, i) => (seconds >= leastSeconds ? [i] : []))
  const inSentence = new Set(
    usable.flatMap((i, at) => (prints[i]?.goesOn && usable[at - 1] === i - 1 ? [at] : [])),
  )
  const values = usable.map((i) => prints[i]?.values ?? new Float32Array())
  const rows = inVoiceUnits(values, inSentence)
  if (count === 1 || rows.length < 2 * leastPrints) {
    return { groups: prints.map(() => 0), certain: count === 1 }
  }
  const step = Math.max(1, rows.length / mostGrouped)
  const spreadOut = rows.flatMap((_, i) =>
    Math.floor(i / step) === Math.floor((i - 1) / step) ? [] : [i],
  )
  const chosen = withoutRepeats(rows, spreadOut)
  const smooth = smoothed(rows, inSentence)
  const mostGroups = Math.min(mostVoices + 1, Math.floor(chosen.length / leastPrints))
  const joined = joinNearest(
    chosen.map((i) => ofLengthOne(smooth[i] ?? new Float32Array())),
    Math.max(mostGroups, count ?? 1),
  )
  const own = chosen.map((i) => rows[i] ?? new Float32Array())
  const { k, certain } = count === undefined ? howMany(own, joined) : asAsked(own, joined, count)
  const means = meansOf(own, joined[k] ?? own.map(() => 0), k)
  const nearest = rows.map((row) => nearestTo(row, means))
  return { groups: numbered(spread(prints.length, usable, nearest)), certain }
}

/**
 * Two prints of one voice differ by 2 in the mean of their squares, since each value varies by 1; less than this is the same
 * recording once more.
 */
const sameRecording = 0.4

/**
 * What was recorded once and is played again and again, such as a jingle, says no more about a voice than once: its few prints would be
 * taken for voices of their own, because they vary so little.
 */
function withoutRepeats(rows: Rows, places: readonly number[]): number[] {
  const kept: number[] = []
  for (const place of places) {
    const row = rows[place]
    if (row && kept.every((other) => !isSame(row, rows[other] ?? row))) kept.push(place)
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

type Rows = readonly Float32Array[]
type Joined = Readonly<Record<number, readonly number[]>>

/** The most groups of which each two are clearly different voices. */
function howMany(rows: Rows, joined: Joined): { k: number; certain: boolean } {
  let k = 1
  let gap = Infinity
  for (;;) {
    const labels = k < mostVoices ? joined[k + 1] : undefined
    const next = labels ? gapOf(rows, labels, k + 1) : 0
    const isClear = gap >= apart.certain && next <= apart.same
    const isCertain = isClear && rows.length >= certainPrints
    if (next <= apart.least) return { k, certain: isCertain }
    gap = next
    k++
  }
}

function asAsked(rows: Rows, joined: Joined, count: number): { k: number; certain: boolean } {
  const labels = joined[count]
  const gap = labels ? gapOf(rows, labels, count) : 0
  return { k: labels ? count : 1, certain: gap > apart.least }
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

/** Neighbours inside a sentence are mostly of the same voice. */
function smoothed(rows: Rows, inSentence: ReadonlySet<number>): Float32Array[] {
  return rows.map((row, i) => {
    const before = (inSentence.has(i) ? rows[i - 1] : undefined) ?? row
    const after = (inSentence.has(i + 1) ? rows[i + 1] : undefined) ?? row
    return row.map((value, at) => ((before[at] ?? 0) + 2 * value + (after[at] ?? 0)) / 4)
  })
}

function ofLengthOne(row: Float32Array): Float32Array {
  let sum = 0
  for (const value of row) sum += value * value
  const scale = 1 / (Math.sqrt(sum) + 1e-9)
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

/** The least distance between two groups: that of their means, less what chance alone would make of it. */
function gapOf(rows: Rows, labels: readonly number[], k: number): number {
  const means = meansOf(rows, labels, k)
  const counts = means.map((_, group) => labels.filter((label) => label === group).length)
  if (Math.min(...counts) < leastPrints) return 0
  const spreads = means.map((mean, group) => {
    const variance = new Float32Array(mean.length)
    const most = (counts[group] ?? 2) - 1
    for (const [i, row] of rows.entries()) {
      if (labels[i] !== group) continue
      for (let at = 0; at < mean.length; at++) {
        variance[at] = (variance[at] ?? 0) + ((row[at] ?? 0) - (mean[at] ?? 0)) ** 2 / most
      }
    }
    return { mean, variance, count: counts[group] ?? 1 }
  })
  const gaps = spreads.flatMap((a, i) => spreads.slice(0, i).map((b) => distanceOf(a, b)))
  return Math.min(...gaps)
}

type Spread = {
  readonly mean: Float32Array
  readonly variance: Float32Array
  readonly count: number
}

function distanceOf(a: Spread, b: Spread): number {
  let [between, within] = [0, 0]
  for (let at = 0; at < a.mean.length; at++) {
    const [va, vb] = [a.variance[at] ?? 0, b.variance[at] ?? 0]
    between += ((a.mean[at] ?? 0) - (b.mean[at] ?? 0)) ** 2 - va / a.count - vb / b.count
    within += (va + vb) / 2
  }
  return between / (within + 1e-9)
}

function nearestTo(row: Float32Array, means: Rows): number {
  let [best, least] = [0, Infinity]
  for (const [group, mean] of means.entries()) {
    let distance = 0
    for (let at = 0; at < row.length; at++) distance += ((row[at] ?? 0) - (mean[at] ?? 0)) ** 2
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
