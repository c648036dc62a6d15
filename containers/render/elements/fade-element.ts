import { pipeAll, type Stream } from '../../graph/filter-graph.ts'
import { fpsOf, type FrameRate } from '../../timeline/frame-rate.ts'
import type { OutputSpan } from './element-timing.ts'
import { fadeLevel, type Fades } from './fade.ts'
import { unchanged } from './open-element.ts'

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
export function fadeElement(picture: Stream<'video'>, request: FadeRequest): Stream<'video'> {
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
