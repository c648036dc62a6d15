import type { Motion } from '../../worker/contract/options/picture/picture-clip.ts'
import { writingGlobals, guardedInput } from '../graph/compile-args.ts'
import { loopTimes } from './loop-times.ts'
import { fpsOf, rateText, type FrameRate } from '../timeline/frame-rate.ts'
import type { GifFacts, StillFacts } from './measure-picture.ts'
import { runFfmpeg } from './process/run-ffmpeg.ts'
import type { ToolContext } from './process/run-tool.ts'
import type { Size } from '../../worker/contract/layout/element-layout.ts'
import { nearestEven } from '../numbers/nearest-even.ts'

type PictureClip = {
  /** The names of the picture and of the clip inside the job folder. */
  readonly from: string
  readonly to: string
  readonly facts: GifFacts | StillFacts
  readonly seconds: number
  readonly motion: Motion
  readonly rate: FrameRate
  /** The colour behind transparent pictures. */
  readonly backgroundColor: string
  /** The longest side that the clip may have. */
  readonly mostPixels: number
}

/**
 * Draws a clip from a picture, once, as the source that everything else reads. It is close to lossless and playable, because it
 * may become the result unchanged.
 */
export async function drawPicture(tools: ToolContext, clip: PictureClip): Promise<void> {
  const { from, to, facts, rate, backgroundColor } = clip
  const { width, height } = sizeOf(clip)
  const frames = Math.max(1, Math.round(clip.seconds * fpsOf(rate)))
  const demuxer = facts.kind === 'gif' ? 'gif' : facts.demuxer
  const ground = `color=c=0x${backgroundColor.slice(1)}:s=${width}x${height}:r=${rateText(rate)}`
  const flags = 'flags=bicubic+accurate_rnd+full_chroma_int'
  const scaled = `scale=${width}:${height}:${flags},setsar=1,format=rgba[above]`
  const converted = `scale=out_color_matrix=bt709:out_range=tv:${flags},format=yuv444p`
  const look = moved(clip.motion, frames)
  const below = '[0:v:0]format=rgb24[below];[below][above]overlay=format=rgb'
  // A still picture is converted only once.
  const graph =
    facts.kind === 'still'
      ? `[1:v:0]trim=end_frame=1,${scaled};${below},trim=end_frame=1,${converted},loop=-1:1,setpts=N/(${rateText(rate)})/TB`
      : `[1:v:0]setpts='${loopTimes(facts)}',fps=${rateText(rate)},${scaled};${below},${converted}`
  const args = [
    ...writingGlobals,
    ...['-f', 'lavfi', '-i', ground],
    ...['-threads', '1', '-max_pixels', String(tools.maxPixels)],
    ...(facts.kind === 'gif' ? ['-stream_loop', '-1'] : []),
    ...guardedInput(from, demuxer),
    ...['-filter_complex', `${graph}${look},format=yuv420p[drawn]`, '-map', '[drawn]'],
    ...['-frames:v', String(frames), ...pictureCoding(tools)],
    ...['-fflags', '+bitexact', '-f', 'mp4', `file:${to}`],
  ]
  await runFfmpeg(tools, { args })
}

/** Close to lossless, and playable everywhere. */
export function pictureCoding({ threads }: Pick<ToolContext, 'threads'>): string[] {
  const colors = ['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709']
  return [
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '10', '-bf', '0', '-pix_fmt', 'yuv420p'],
    ...['-threads', String(threads), '-color_range', 'tv', ...colors],
  ]
}

/** As large as the picture, but no larger than a frame may be; with even sides. */
export function sizeOf({ facts, mostPixels }: Pick<PictureClip, 'facts' | 'mostPixels'>): Size {
  const share = Math.min(1, mostPixels / Math.max(facts.width, facts.height))
  return { width: nearestEven(facts.width * share), height: nearestEven(facts.height * share) }
}

/** Pixels of all pictures of all moving clips together; drawing this many takes two or three seconds. */
const mostMovedForPlan = 120e6

/** Whether a plan, for which a person waits, may draw how a picture moves. `of`: how many of its pictures do. */
export function movesQuickly(pixels: number, of: number): boolean {
  return pixels <= mostMovedForPlan / Math.max(1, of)
}

/** How much the picture is enlarged when the view is closest to it. */
const closest = 1.15

/** The middle of the view, as a share of the width of the picture, and how much the picture is enlarged. */
type View = { readonly middle: number; readonly scale: number }
const whole: View = { middle: 0.5, scale: 1 }
const close: View = { middle: 0.5, scale: closest }
const leftView: View = { ...close, middle: 0.5 / closest }
const rightView: View = { ...close, middle: 1 - 0.5 / closest }

const ways: Record<Exclude<Motion, 'none'>, readonly [from: View, to: View]> = {
  'zoom-in': [whole, close],
  'zoom-out': [close, whole],
  'pan-left': [rightView, leftView],
  'pan-right': [leftView, rightView],
}

/**
 * `perspective` reads between pixels, in steps of 1/256; `zoompan` and `crop` move by whole ones, which shakes. The motion
 * looks even, because the scale changes evenly and not the size of the view.
 */
function moved(motion: Motion, frames: number): string {
  if (motion === 'none') return ''
  const [from, to] = ways[motion]
  const share = `on/${Math.max(1, frames - 1)}`
  const between = (a: number, b: number): string => `(${a}+${(b - a).toFixed(9)}*${share})`
  const half = `0.5/${between(from.scale, to.scale)}`
  const middle = between(from.middle, to.middle)
  const [left, right] = [`W*(${middle}-${half})`, `W*(${middle}+${half})`]
  const [top, bottom] = [`H*(0.5-${half})`, `H*(0.5+${half})`]
  const corners = [
    ...[`x0=${left}`, `y0=${top}`, `x1=${right}`, `y1=${top}`],
    ...[`x2=${left}`, `y2=${bottom}`, `x3=${right}`, `y3=${bottom}`],
  ]
  return `,perspective=${corners.join(':')}:interpolation=cubic:eval=frame`
}
