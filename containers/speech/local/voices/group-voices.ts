import {
  divideVoices,
  meansOf,
  nearestTo,
  type Dividing,
  type DividedRows,
} from './divide-voices.ts'
import { whitenPrints } from './whiten-prints.ts'
import { joinNearest } from './join-nearest.ts'
import { setApart } from './set-apart.ts'
import { setStrangeApart } from './strange-sentences.ts'
import { inVoiceUnits, leastNeighbours, noneFarOff, ofLengthOne } from './voice-units.ts'
import type { SampledSound } from '../sound-file.ts'
import { spread } from '../../../numbers/spread.ts'
import { speechRate } from '../../../sound/speech-sound.ts'
import type { OnShare } from '../../../models/model-thread.ts'
import type { Turns } from '../../../models/turns.ts'
import type { VoiceStretch } from './cut-units.ts'
import type { VoiceModel } from './voice-model.ts'

/**
 * The sound of a voice over a few seconds: `values`, the same number for every print, first means over its frames and then as
 * many deviations from them. Short prints tell too little.
 */
export type VoicePrint = {
  readonly values: Float32Array
  readonly seconds: number
  /** Whether it continues the sentence of the one before, and so most likely has its voice. */
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
/** Less speech than this, half a minute, is never certain, nor is less than `each` for every voice, up to fifty seconds in all. */
const certainPrints = { least: 20, each: 8, enough: 30 }
/** This many neighbours within sentences, three minutes of speech or more, tell how values change together in one voice. */
const evenNeighbours = 60
/** A person who says only one sentence has at most this many prints. */
const longestOnce = 4

type Limits = {
  readonly dividing: Dividing
  /** Groups that are farther apart than this are different voices. */
  readonly least: number
  /** Groups that are this far apart are certainly different voices. */
  readonly certain: number
  /** No further voice exists for certain if, with one group more, the nearest two are no farther apart than this. */
  readonly same: number
  /** The requested number of groups is certainly the people if the groups are this far apart. */
  readonly asked: number
  /** A sentence farther than this from all groups is another person's. */
  readonly lone: number
  /** A sentence this far from all groups is certainly another person's. */
  readonly certainLone: number
  /** A sentence nearer than this is not another person's, nor is one of a single print that is nearer than `leftShort`. */
  readonly left: number
  readonly leftShort: number
  /** A sentence this strange for its length is another person's; none is if none is stranger than `familiar`. */
  readonly strange?: { readonly least: number; readonly familiar: number }
}

/** How far voices are from each other, by the variance within one voice. Decision 072 has the figures. */
const limits: Readonly<Record<'single' | 'even', Limits>> = {
  /** Halves of one voice are up to 0.35 apart, and two people mostly 0.5 to 2. */
  single: {
    dividing: { leastRows: 2, next: 'latest', byChoice: 0 },
    ...{ least: 0.38, certain: 0.6, same: 0.35, asked: 0.45 },
    ...{ lone: 0.5, certainLone: 0.72, left: 0.38, leftShort: 0.55 },
  },
  /** Halves of one voice are up to 0.9 apart, and two people 1.1 to 5. One print is too short to tell anything among that many. */
  even: {
    dividing: { leastRows: 4, next: 'farthest', byChoice: 6 },
    ...{ least: 1, certain: 1.1, same: 0.9, asked: 1 },
    ...{ lone: 0.66, certainLone: 1.1, left: 0.5, leftShort: Infinity },
    strange: { least: 9, familiar: 6.2 },
  },
}

/** Groups prints, in the order in which they were heard, by voice: into `count` groups if that is known. */
export function groupVoices(prints: readonly VoicePrint[], count?: number): VoiceGroups {
  const usable = prints.flatMap(({ seconds }, i) => (seconds >= leastSeconds ? [i] : []))
  const inSentence = new Set(
    usable.flatMap((i, at) => (prints[i]?.goesOn && usable[at - 1] === i - 1 ? [at] : [])),
  )
  const values = usable.map((i) => prints[i]?.values ?? new Float32Array())
  if (count === 1 || values.length < 2 * limits.single.dividing.leastRows) {
    return { groups: prints.map(() => 0), certain: count === 1 }
  }
  const seconds = usable.map((i) => prints[i]?.seconds ?? 0)
  const told = { ...tellApart(values, inSentence, count), seconds }
  const { labels, certain } = count === undefined ? howMany(told) : asAsked(told, count)
  return { groups: numbered(forAll(prints.length, usable, labels)), certain }
}

type TimedRows = RowSets & {
  /** How long each row is. */
  readonly seconds: readonly number[]
}

type RowSets = {
  readonly rows: readonly Float32Array[]
  /** The rows that are searched for people who say one sentence, which tells too little about how values change together. */
  readonly single: readonly Float32Array[]
  /** The rows of each sentence. */
  readonly sentences: readonly (readonly number[])[]
  /** The rows in some numbers of groups. */
  readonly divided: ReadonlyMap<number, DividedRows>
  readonly limits: Limits
}

function tellApart(
  values: readonly Float32Array[],
  inSentence: ReadonlySet<number>,
  count = 1,
): RowSets {
  const scaled = inVoiceUnits(values, inSentence)
  // Without enough neighbours, nothing tells how much two recordings differ.
  const chosen = inSentence.size < leastNeighbours ? [...scaled.keys()] : withoutRepeats(scaled)
  const single = noneFarOff(scaled, chosen)
  const isLong = inSentence.size >= evenNeighbours
  const rows = isLong ? noneFarOff(whitenPrints(single, inSentence), chosen) : single
  const own = isLong ? limits.even : limits.single
  const smooth = smoothed(rows, inSentence)
  const tree = joinNearest(chosen.map((i) => ofLengthOne(smooth[i] ?? new Float32Array())))
  const grouped = chosen.map((i) => rows[i] ?? new Float32Array())
  const rule = { ...own.dividing, mostGroups: Math.max(mostVoices + 1, count) }
  const divided = [...divideVoices(tree, grouped, rule)].map(([k, { labels, gap }]) => {
    const means = meansOf(grouped, labels, k)
    return [k, { labels: rows.map((row) => nearestTo(row, means)), gap }] as const
  })
  const sentences = sentencesOf(rows, inSentence)
  return { rows, single, sentences, divided: new Map(divided), limits: own }
}

function sentencesOf(rows: readonly Float32Array[], inSentence: ReadonlySet<number>): number[][] {
  const sentences: number[][] = []
  for (const i of rows.keys()) {
    if (inSentence.has(i)) sentences.at(-1)?.push(i)
    else sentences.push([i])
  }
  return sentences
}

/**
 * Two prints of one voice differ by 2 in the mean of their squares, because each value varies by 1; less than this means the
 * same recording played again, with other noise below it.
 */
const sameRecording = 0.7

/**
 * The prints that are grouped, from the whole length. A recording that is played repeatedly, such as a jingle, tells no more
 * about a voice than once: its prints would be taken for voices of their own, because they vary so little.
 */
function withoutRepeats(rows: readonly Float32Array[]): number[] {
  const kept: number[] = []
  for (const [place, row] of spread([...rows.entries()], mostGrouped))
    if (kept.every((other) => !isSame(row, rows[other] ?? row))) kept.push(place)
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
 * The largest number of groups that are all clearly different voices, and the people who say one sentence far from all of them.
 * It is certain only if no two of these are near each other, and nothing that is left could be one more.
 */
function howMany({
  rows,
  single,
  seconds,
  sentences,
  divided,
  limits: own,
}: TimedRows): VoiceLabels {
  const places = [...divided.keys()].filter((k) => k <= mostVoices)
  const isApart = (k: number): boolean => (divided.get(k)?.gap ?? 0) > own.least
  // Two pairs of similar voices may stay in two groups for a while, which are no farther apart than their halves.
  const isFarthest = own.dividing.next === 'farthest'
  const k = isFarthest ? Math.max(1, ...places.filter(isApart)) : firstNotApart(isApart) - 1
  const { labels, gap } = divided.get(k) ?? { labels: rows.map(() => 0), gap: Infinity }
  const rejected = [...divided].filter(([other]) => other > k).map(([, other]) => other.gap)
  // The more sentences there are, the farther away the farthest one is by chance.
  const more = Math.max(0, Math.log10(sentences.length / 40))
  const lone = setApart(
    { rows: single, sentences, labels },
    { most: mostVoices - k, least: own.lone + 0.15 * more, shortShare: 0 },
  )
  const strange = own.strange && {
    ...setStrangeApart(
      { views: [rows, single], seconds, sentences, labels: lone.labels },
      {
        most: mostVoices - new Set(lone.labels).size,
        least: own.strange.least,
        longest: longestOnce,
      },
    ),
    familiar: own.strange.familiar,
  }
  const all = strange?.labels ?? lone.labels
  const { least, each, enough } = certainPrints
  const certain =
    rows.length >= Math.min(enough, Math.max(least, each * new Set(all).size)) &&
    (!strange || strange.left <= strange.familiar) &&
    gap >= own.certain &&
    lone.least >= own.certainLone &&
    Math.max(0, ...rejected) <= own.same &&
    lone.left <= own.left + 0.15 * more &&
    lone.leftShort <= own.leftShort + 0.25 * more
  return { labels: all, certain }
}

function firstNotApart(isApart: (k: number) => boolean): number {
  let k = 2
  while (k <= mostVoices && isApart(k)) k++
  return k
}

type VoiceLabels = { readonly labels: readonly number[]; readonly certain: boolean }

/** The requested number of groups, some of one sentence only: of all such groupings the one with the voices farthest apart. */
function asAsked({ rows, sentences, divided, limits: own }: TimedRows, count: number): VoiceLabels {
  let best = { labels: divided.get(1)?.labels ?? rows.map(() => 0), least: -Infinity }
  for (const [k, { labels, gap }] of divided) {
    if (k > count) continue
    const rule = { most: count - k, least: -Infinity, shortShare: 0.5 }
    const lone = setApart({ rows, sentences, labels }, rule)
    const least = Math.min(gap, lone.least)
    if (new Set(lone.labels).size === count && least > best.least) best = { ...lone, least }
  }
  return { labels: best.labels, certain: best.least > own.asked }
}

/** Neighbours within a sentence mostly have the same voice. */
function smoothed(rows: readonly Float32Array[], inSentence: ReadonlySet<number>): Float32Array[] {
  return rows.map((row, i) => {
    const before = (inSentence.has(i) ? rows[i - 1] : undefined) ?? row
    const after = (inSentence.has(i + 1) ? rows[i + 1] : undefined) ?? row
    return row.map((value, at) => ((before[at] ?? 0) + 2 * value + (after[at] ?? 0)) / 4)
  })
}

/** A stretch that is too short gets the voice before it. */
function forAll(length: number, usable: readonly number[], groups: readonly number[]): number[] {
  const known = new Map(usable.map((at, i) => [at, groups[i] ?? 0]))
  let group = groups[0] ?? 0
  return Array.from({ length }, (_, i) => (group = known.get(i) ?? group))
}

/** Numbers groups by where they appear first. */
function numbered(groups: readonly number[]): number[] {
  const order = [...new Set(groups)]
  return groups.map((group) => order.indexOf(group))
}

/** The model needs this much to make a frame or two of. */
const leastSamples = 0.1 * speechRate

type VoiceInput = {
  readonly sound: SampledSound
  readonly stretches: readonly VoiceStretch[]
  readonly turns: Turns
  readonly onShare: OnShare
}

/** The rest is for comparing the prints. */
const shareOfPrints = 0.95

/** Tells who speaks in which stretch: two people are two groups. An hour of speech makes prints of about 12 MB. */
export async function tellVoices(
  model: VoiceModel,
  { sound, stretches, turns, onShare }: VoiceInput,
  count: number | undefined,
): Promise<VoiceGroups> {
  const prints: VoicePrint[] = []
  for (const { start, end, goesOn } of stretches) {
    const samples = await sound.read(start, Math.max(end, start + leastSamples))
    const values = await turns.take(async () => model.print(samples))
    prints.push({ values, seconds: (end - start) / speechRate, goesOn })
    onShare((shareOfPrints * prints.length) / stretches.length)
  }
  return turns.take(async () => Promise.resolve(groupVoices(prints, count)))
}
