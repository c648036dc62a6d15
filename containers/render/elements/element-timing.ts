import type { Element } from '../../../worker/contract/options/elements/elements.ts'
import { fpsOf } from '../../timeline/frame-rate.ts'
import { keptPieces } from '../../timeline/joints.ts'
import { clipSpans, finishedTime } from '../../timeline/timeline.ts'
import type { CutTimeline } from '../../timeline/list-cuts.ts'

/** Seconds of the output, from `start` up to but not including `end`. */
export type OutputSpan = { readonly start: number; readonly end: number }

/** The film that elements lie on, and where its clips are in it. */
export type FilmTime = CutTimeline & { readonly durationSeconds: number }
type TimedElement = Pick<Element, 'timing' | 'clip'>

/** When an element is shown; undefined if the video, or the clip that it is tied to, ends before that. */
export function elementSpan(
  { timing, clip }: TimedElement,
  film: FilmTime,
): OutputSpan | undefined {
  const room = roomOf(clip, film)
  if (timing === undefined || timing.entireVideo) return room.start < room.end ? room : undefined
  const start = room.start + (timing.startTime ?? 0)
  const end = Math.min(room.start + (timing.endTime ?? Number.POSITIVE_INFINITY), room.end)
  return start < end ? { start, end } : undefined
}

/** When the part of a clip that the cuts leave is shown, in finished time; without a clip, the whole film. */
function roomOf(clip: number | undefined, film: FilmTime): OutputSpan {
  const { timeline, durationSeconds } = film
  if (clip === undefined) return { start: 0, end: durationSeconds }
  const fps = fpsOf(timeline.frameRate)
  const { totalFrames } = timeline
  const { from, to } = clipSpans(timeline)[clip - 1] ?? { from: totalFrames, to: totalFrames }
  let place = 0
  const shown = keptPieces(film).flatMap((piece): OutputSpan[] => {
    const begin = place - (piece.overlap ?? 0)
    place = begin + piece.to - piece.from
    const part = { from: Math.max(piece.from, from), to: Math.min(piece.to, to) }
    if (part.from >= part.to) return []
    return [{ start: begin + part.from - piece.from, end: begin + part.to - piece.from }]
  })
  const [first = { start: place, end: place }] = shown
  const { end } = shown.at(-1) ?? first
  const secondsAt = (picture: number) => finishedTime(picture / fps, timeline)
  const isLast = to === totalFrames
  return {
    start: secondsAt(first.start),
    end: isLast ? durationSeconds : Math.min(secondsAt(end), durationSeconds),
  }
}

export function lateWarning(index: number, { timing, clip }: TimedElement, film: FilmTime): string {
  const { start, end } = roomOf(clip, film)
  const length = Number((end - start).toFixed(3))
  const begin = `elements[${index}] was left out: it starts at ${timing?.startTime ?? 0} s, and`
  return clip === undefined
    ? `${begin} the video ends at ${length} s.`
    : `${begin} ${length} s are left of clip ${clip}.`
}

/** An element with its time and place in the video, or the warning that says why it is left out. */
export type Judged<Placed> = { readonly placed: Placed } | { readonly leftOut: string }

export function sortOut<Placed>(judged: readonly Judged<Placed>[]): {
  placed: Placed[]
  warnings: string[]
} {
  return {
    placed: judged.flatMap((one) => ('placed' in one ? [one.placed] : [])),
    warnings: judged.flatMap((one) => ('leftOut' in one ? [one.leftOut] : [])),
  }
}
