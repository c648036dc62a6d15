import { KeptTime } from '../../worker/contract/layout/kept-time.ts'
import { fpsOf } from './frame-rate.ts'
import { mergeSpans, subtractSpans, type FrameSpan } from './frame-spans.ts'
import type { Clips } from './clip.ts'
import { keptPieces, overlappingFrames, type Joint } from './joints.ts'
import { clipSpans, finishedLength, finishedTime, type Timeline } from './timeline.ts'
import { thousandths } from '../numbers/thousandths.ts'
import { totalLength } from '../numbers/spans.ts'

/** The spans cut out of the joined timeline, and why. No picture has two reasons, and all lists are merged. */
export type Removed = {
  readonly all: readonly FrameSpan[]
  /** Removed by the segments of the request. */
  readonly asked: readonly FrameSpan[]
  /** Removed because of the words spoken there. */
  readonly text: readonly FrameSpan[]
  /** Removed because they contain only fillers. */
  readonly fillers: readonly FrameSpan[]
}

/** The joined clips, what is cut out of them, and the transitions between the remaining parts. */
export type CutTimeline = {
  readonly timeline: Timeline
  readonly removed: Removed
  /** Where the remaining parts overlap. */
  readonly joints: readonly Joint[]
}

/** How long the finished video lasts. */
export function secondsLeft(cut: CutTimeline): number {
  return finishedLength(secondsKept(cut), cut.timeline)
}

/** How long the parts last that the cuts leave, before their speed changes, in whole pictures of the steady rate. */
export function secondsKept({ timeline, removed, joints }: CutTimeline): number {
  const kept = timeline.totalFrames - totalLength(removed.all)
  return (kept - overlappingFrames(joints)) / fpsOf(timeline.frameRate)
}

/** The same for clips; a single clip without cuts keeps its own length. */
export function filmSeconds(cut: CutTimeline & { readonly clips: Clips }): number {
  const { clips, removed, joints, timeline } = cut
  const isWhole = clips.length === 1 && removed.all.length + joints.length === 0
  return isWhole ? finishedLength(clips[0].facts.durationSeconds, timeline) : secondsLeft(cut)
}

export const nothingRemoved: Removed = { all: [], asked: [], text: [], fillers: [] }

/** The cuts that were decided on purpose, unlike pauses: words that lie in them are removed too. */
export function decidedOf({ asked, text, fillers }: Omit<Removed, 'all'>): FrameSpan[] {
  return mergeSpans([...asked, ...text, ...fillers], Number.POSITIVE_INFINITY)
}

/** A part that was cut out of one source. Times are in seconds. */
type ListedCut = {
  /** The index of the source in the plan, from 0. */
  readonly source: number
  /** In the time of that source. */
  readonly startTime: number
  readonly endTime: number
  readonly why: 'asked' | 'text' | 'filler' | 'silence'
  /** The time in the result at which the parts around the cut meet. */
  readonly resultTime: number
}

/** A report must stay small; this many cuts take half a megabyte of it. */
const mostListed = 5_000

/** The cuts as stored with the attempt. */
export function describeCuts({ timeline, removed, joints }: CutTimeline) {
  const fps = fpsOf(timeline.frameRate)
  const lengthOf = (spans: readonly FrameSpan[]): number => thousandths(totalLength(spans) / fps)
  const list = listCuts({ timeline, removed, joints })
  return {
    /** Cuts that touch count as one. */
    count: removed.all.length,
    removedSeconds: lengthOf(removed.all),
    segmentsSeconds: lengthOf(removed.asked),
    textSeconds: lengthOf(removed.text),
    fillersSeconds: lengthOf(removed.fillers),
    silenceSeconds: lengthOf(silencesOf(removed)),
    list: list.slice(0, mostListed),
    unlisted: Math.max(0, list.length - mostListed),
  }
}

/**
 * Lists the cuts in order. A cut across the end of a source is listed once for each source, and a cut with several
 * reasons once for each.
 */
export function listCuts({ timeline, removed, joints }: CutTimeline): ListedCut[] {
  const fps = fpsOf(timeline.frameRate)
  const because = (why: ListedCut['why'], spans: readonly FrameSpan[]) =>
    spans.map((span) => ({ ...span, why }))
  const parts = [
    ...because('asked', removed.asked),
    ...because('text', removed.text),
    ...because('filler', removed.fillers),
    ...because('silence', silencesOf(removed)),
  ].sort((a, b) => a.from - b.from)
  const placeOf = placesOf({ timeline, removed, joints })
  return parts.flatMap(({ from, to, why }) => {
    const resultTime = thousandths(finishedTime(placeOf(from) / fps, timeline))
    return bySource({ from, to }, timeline).map(({ source, start, end }) => ({
      source,
      startTime: thousandths(start / fps),
      endTime: thousandths(end / fps),
      why,
      resultTime,
    }))
  })
}

/** The parts that are cut because nobody speaks. */
export function silencesOf(removed: Removed): FrameSpan[] {
  return subtractSpans(removed.all, decidedOf(removed))
}

/** Finds where the result continues after a removed picture; call it in order. A transition begins there. */
function placesOf(cut: CutTimeline): (frame: number) => number {
  const { all } = cut.removed
  const kept = new KeptTime(keptPieces(cut))
  let next = 0
  return (frame) => {
    while ((all[next]?.to ?? Number.POSITIVE_INFINITY) <= frame) next++
    return kept.placeOf(all[next]?.to ?? frame)
  }
}

/** Splits a span into the parts in each source, in pictures of that source. */
function bySource({ from, to }: FrameSpan, timeline: Timeline) {
  return clipSpans(timeline).flatMap((clip, source) => {
    const start = Math.max(from, clip.from) - clip.from
    const end = Math.min(to, clip.to) - clip.from
    return start < end ? [{ source, start, end }] : []
  })
}
