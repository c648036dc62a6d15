import { pipeAll, type Stream } from '../../graph/filter-graph.ts'
import { fpsOf, type FrameRate } from '../../timeline/frame-rate.ts'
import type { RenderState } from '../render-state.ts'
import type { OutputSpan } from './element-timing.ts'
import { fadeElement } from './fade-element.ts'
import type { Fade } from './fade.ts'
import { atRate } from './open-element.ts'

/** What has to be known of the film below an element. */
export type FilmBelow = Pick<
  RenderState,
  | ('frame' | 'frameRate' | 'hasConstantRate' | 'durationSeconds' | 'colorMatrix')
  | ('timeline' | 'removed' | 'joints')
>

/** Times in WebM are whole milliseconds, so half of one is no difference. */
const tolerance = 0.0005

export function enabledDuring(
  { start, end }: OutputSpan,
  { durationSeconds }: Pick<FilmBelow, 'durationSeconds'>,
): { enable?: string } {
  const from = start <= 0 ? [] : [`gte(t,${(start - tolerance).toFixed(6)})`]
  const to = end >= durationSeconds ? [] : [`lt(t,${(end - tolerance).toFixed(6)})`]
  const both = [...from, ...to]
  return both.length === 0 ? {} : { enable: both.join('*') }
}

/** Videos with a variable rate are sampled often enough that nobody sees a difference. */
const denseRate: FrameRate = { frames: 60, seconds: 1 }

export function gridRate({ hasConstantRate, frameRate }: FilmBelow): FrameRate {
  return hasConstantRate ? frameRate : denseRate
}

type Timed = {
  readonly span: OutputSpan
  readonly fadeIn: Fade | undefined
  readonly fadeOut: Fade | undefined
  /** A name that no filter of another element has. */
  readonly name: string
}

/**
 * One picture for each picture of the film, from the start of the element on, then the last one without end. Each is
 * placed half a frame early, so that the rounded times of the film still select the right one.
 */
export function inFilmTime(
  picture: Stream<'video'>,
  { span, fadeIn, fadeOut, name }: Timed,
  film: FilmBelow,
): Stream<'video'> {
  const rate = gridRate(film)
  const seconds = span.end - span.start
  const firstFrame = Math.ceil(span.start * fpsOf(rate) - 0.001)
  const onGrid = pipeAll(picture, [
    atRate(rate),
    ['trim', { end_frame: Math.ceil(seconds * fpsOf(rate)) + 1 }],
    ['tpad', { stop_mode: 'clone', stop: -1 }],
    ['settb', { expr: `${rate.seconds}/${rate.frames * 2}` }],
    ['setpts', { expr: `PTS+${2 * firstFrame - 1}` }],
  ])
  if (!fadeIn && !fadeOut) return onGrid
  const fades = { seconds, fadeIn, fadeOut }
  return fadeElement(onGrid, { span, fades, rate, firstFrame, name })
}
