import { pipeAll, type Stream } from '../../graph/filter-graph.ts'
import { fpsOf, type FrameRate } from '../../timeline/frame-rate.ts'
import type { RenderState } from '../render-state.ts'
import type { OutputSpan } from './element-timing.ts'
import { type Fade, fadeLevel, type Fades } from './fade.ts'
import { atRate, unchanged } from './open-element.ts'

/** The facts about the film below an element. */
export type FilmBelow = Pick<
  RenderState,
  | ('frame' | 'frameRate' | 'hasConstantRate' | 'durationSeconds' | 'colorMatrix')
  | ('timeline' | 'removed' | 'joints')
>

/** Times in WebM are whole milliseconds, so a difference of half of one does not count. */
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

type ElementTimes = {
  readonly span: OutputSpan
  readonly fadeIn: Fade | undefined
  readonly fadeOut: Fade | undefined
  /** A name that no filter of another element has. */
  readonly name: string
}

/**
 * One picture of the element for each picture of the film, from the element's start on, then the last one without end. Each is
 * placed half a frame early, so that the rounded times of the film still select the right one.
 */
export function inFilmTime(
  picture: Stream<'video'>,
  { span, fadeIn, fadeOut, name }: ElementTimes,
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

type FadeRequest = {
  readonly span: OutputSpan
  readonly fades: Fades
  /** The frame grid of its pictures, and the first frame on it. */
  readonly rate: FrameRate
  readonly firstFrame: number
  /** A name that no filter of another element has. */
  readonly name: string
}

/**
 * ffmpeg's own fade is linear only. Here a lookup table sets the transparency, and the table is changed before each
 * picture at which the fade has moved by one of the 255 steps of transparency. Nothing happens between the fades.
 */
function fadeElement(picture: Stream<'video'>, request: FadeRequest): Stream<'video'> {
  const { span, fades, name } = request
  const filter = `lutyuv@${name}` as const
  const [first, ...changes] = fadeChanges(request)
  if (!first) return picture
  const commands = changes.map(({ at, level }) => `${at.toFixed(6)} ${filter} a ${tableOf(level)};`)
  const inEnd = span.start + (fades.fadeIn?.duration ?? 0)
  const outStart = span.end - (fades.fadeOut?.duration ?? 0)
  const spare = 1 / fpsOf(request.rate)
  const enable = `lt(t,${plain(inEnd + spare)})+gte(t,${plain(outStart - spare)})`
  return pipeAll(picture, [
    ...(commands.length > 0 ? ([['sendcmd', { c: commands.join('') }]] as const) : []),
    [filter, { ...unchanged, a: tableOf(first.level), enable }],
  ])
}

function plain(seconds: number): string {
  return seconds.toFixed(6)
}

function tableOf(level: number): string {
  return `val*${level}/255`
}

type Change = { at: number; level: number }

/** The steps of the fade, and the output time from which each applies. */
function fadeChanges({ span, fades, rate, firstFrame }: FadeRequest): Change[] {
  const fps = fpsOf(rate)
  const frames = Math.ceil(fades.seconds * fps)
  const inFrames = Math.min(frames, Math.ceil((fades.fadeIn?.duration ?? 0) * fps) + 1)
  const outFrames = Math.min(frames, Math.ceil((fades.fadeOut?.duration ?? 0) * fps) + 1)
  const changes: Change[] = []
  for (let frame = 0; frame < frames; frame++) {
    if (frame === inFrames) frame = Math.max(frame, frames - outFrames)
    const local = (firstFrame + frame) / fps - span.start
    const level = Math.round(255 * fadeLevel(fades, local))
    // Pictures are placed half a frame early; another quarter avoids rounding errors.
    const at = (firstFrame + frame - 0.75) / fps
    if (changes.at(-1)?.level !== level) changes.push({ at, level })
  }
  return changes
}
