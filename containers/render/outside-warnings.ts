import { fewWarnings } from '../errors/few-warnings.ts'
import { fpsOf } from '../timeline/frame-rate.ts'
import type { RequestedSpan, WholeCuts } from '../timeline/cut-list.ts'
import { keptSpans, type FrameSpan } from '../timeline/frame-spans.ts'
import type { Clip } from '../timeline/clip.ts'
import type { Timeline } from '../timeline/timeline.ts'
import { totalLength } from '../numbers/spans.ts'

type SegmentRequest = {
  readonly clips: readonly Pick<Clip<'removeSegments' | 'keepSegments'>, 'facts' | 'asked'>[]
  readonly whole: WholeCuts
  /** What the segments of single files remove. */
  readonly removedOfFiles: readonly FrameSpan[]
}

/** One list of segments, and the timeline of its times. */
type SegmentList = {
  readonly field: string
  readonly segments: readonly RequestedSpan[]
  readonly frames: number
  readonly fps: number
  /** For example `the source ends at 5 s`. */
  readonly end: string
  readonly seconds: number
}

/** Warns about segments that could not be removed or kept as asked, because they lie outside the video. */
export function outsideWarnings(timeline: Timeline, request: SegmentRequest): string[] {
  return [...listsOfFiles(timeline, request), listOfWhole(timeline, request)].flatMap(warningsOf)
}

function listsOfFiles(timeline: Timeline, { clips }: SegmentRequest): SegmentList[] {
  const fps = fpsOf(timeline.frameRate)
  return clips.map(({ facts, asked }, i) => {
    const frames = timeline.clipFrames[i] ?? 0
    const seconds = Math.max(facts.durationSeconds, frames / fps)
    return {
      ...segmentsOf(asked, `files[${i}].`),
      ...{ frames, fps, seconds },
      end: `the file ends at ${shown(seconds)} s`,
    }
  })
}

function listOfWhole(
  timeline: Timeline,
  { clips, whole, removedOfFiles }: SegmentRequest,
): SegmentList {
  const fps = fpsOf(timeline.frameRate)
  const frames = totalLength(keptSpans(removedOfFiles, timeline.totalFrames))
  const [only, second] = clips
  const isOne = only !== undefined && second === undefined
  const seconds = isOne ? Math.max(only.facts.durationSeconds, frames / fps) : frames / fps
  const end = isOne ? 'the source ends at' : 'the joined files end at'
  return {
    ...segmentsOf(whole, ''),
    frames,
    fps,
    seconds,
    end: `${end} ${shown(seconds)} s`,
  }
}

function segmentsOf({ removeSegments, keepSegments }: WholeCuts, within: string) {
  return keepSegments
    ? { field: `${within}keepSegments`, segments: keepSegments }
    : { field: `${within}removeSegments`, segments: removeSegments ?? [] }
}

function warningsOf(list: SegmentList): string[] {
  const all = list.segments.flatMap((segment, i) => {
    const what = whatBecame(segment, list)
    return what === undefined ? [] : [`${list.field}[${i}] ${what}`]
  })
  const more = `more of ${list.field} were left out or shortened in the same way.`
  return fewWarnings(all, (count) => `${count} ${more}`)
}

/** A source may claim to last slightly longer than its last picture. */
const toleranceSeconds = 0.05

function whatBecame({ startTime, endTime }: RequestedSpan, list: SegmentList): string | undefined {
  const { frames, fps, end, seconds } = list
  const [from, to] = [Math.round(startTime * fps), Math.round(endTime * fps)]
  if (from >= frames) return `was left out: it starts at ${shown(startTime)} s, and ${end}.`
  if (from === to) return `was left out: no picture is as short as ${shown(endTime - startTime)} s.`
  if (endTime <= seconds + toleranceSeconds) return undefined
  return `was shortened: it ends at ${shown(endTime)} s, and ${end}.`
}

function shown(seconds: number): number {
  return Number(seconds.toFixed(3))
}
