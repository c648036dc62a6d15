import { fpsOf } from './frame-rate.ts'
import { frameCount, type FrameSpan } from './frame-spans.ts'
import type { Timeline } from './timeline.ts'

/** What is cut out of the joined timeline: all of it, and the part that the segments of the request remove. */
export type Removed = { readonly all: readonly FrameSpan[]; readonly asked: readonly FrameSpan[] }

export const nothingRemoved: Removed = { all: [], asked: [] }

/** One part that was cut out of one source. Times are in seconds. */
export type Cut = {
  /** The index of the source in the plan, from 0. */
  readonly source: number
  /** In the time of that source. */
  readonly startTime: number
  readonly endTime: number
  readonly why: 'asked' | 'silence'
  /** The time in the result at which the parts around the cut meet. */
  readonly resultTime: number
}

/** A report must stay small; this many cuts take half a megabyte of it. */
const mostListed = 5_000

/** The cuts as stored with the attempt. */
export function describeCuts(removed: Removed, timeline: Timeline) {
  const fps = fpsOf(timeline.frameRate)
  const [all, asked] = [frameCount(removed.all) / fps, frameCount(removed.asked) / fps]
  const list = listCuts(removed, timeline)
  return {
    /** Cuts that touch count as one. */
    count: removed.all.length,
    removedSeconds: rounded(all),
    segmentsSeconds: rounded(asked),
    silenceSeconds: rounded(all - asked),
    list: list.slice(0, mostListed),
    unlisted: Math.max(0, list.length - mostListed),
  }
}

/**
 * Lists the cuts in order. A cut across the end of a source is listed once for each source, and a cut with two reasons
 * once for each reason.
 */
export function listCuts({ all, asked }: Removed, timeline: Timeline): Cut[] {
  const fps = fpsOf(timeline.frameRate)
  const parts = [
    ...asked.map((span) => ({ ...span, why: 'asked' as const })),
    ...silencesOf({ all, asked }).map((span) => ({ ...span, why: 'silence' as const })),
  ].sort((a, b) => a.from - b.from)
  const joints = jointsOf(all)
  return parts.flatMap(({ from, to, why }) => {
    const resultTime = rounded(joints(from) / fps)
    return bySource({ from, to }, timeline).map(({ source, start, end }) => ({
      source,
      startTime: rounded(start / fps),
      endTime: rounded(end / fps),
      why,
      resultTime,
    }))
  })
}

/**
 * The parts that are cut because nobody speaks. Both lists are merged and in order, and every span of `asked` lies
 * within one of `all`.
 */
export function silencesOf({ all, asked }: Removed): FrameSpan[] {
  let next = 0
  return all.flatMap(({ from, to }) => {
    const rest: FrameSpan[] = []
    let begin = from
    for (let span = asked[next]; span && span.from < to; span = asked[++next]) {
      rest.push({ from: begin, to: span.from })
      begin = span.to
    }
    return [...rest, { from: begin, to }].filter((span) => span.from < span.to)
  })
}

/** Returns how many pictures of the result come before a removed one; call it in order. */
function jointsOf(all: readonly FrameSpan[]): (frame: number) => number {
  let next = 0
  let removedBefore = 0
  return (frame) => {
    for (let span = all[next]; span && span.to <= frame; span = all[++next]) {
      removedBefore += span.to - span.from
    }
    return (all[next]?.from ?? frame) - removedBefore
  }
}

/** Splits a span into the parts in each source, in pictures of that source. */
function bySource({ from, to }: FrameSpan, { clipFrames }: Timeline) {
  let begin = 0
  return clipFrames.flatMap((frames, source) => {
    const start = Math.max(from - begin, 0)
    const end = Math.min(to - begin, frames)
    begin += frames
    return start < end ? [{ source, start, end }] : []
  })
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000
}
