import { rm } from 'node:fs/promises'
import path from 'node:path'
import { namedKind } from '../../../../worker/contract/job/media-job.ts'
import { limits } from '../../../../worker/contract/limits.ts'
import {
  isMoving,
  type MovingFormat,
} from '../../../../worker/contract/options/outputs/output-pictures.ts'
import { fpsAsked, type Output } from '../../../../worker/contract/options/outputs/outputs.ts'
import { exactFrame } from '../../../render/frame/frame-shape.ts'
import { shapeClips } from '../../../render/frame/shape-clips.ts'
import { optionsOf } from '../../../render/output-options.ts'
import { fpsOf } from '../../../timeline/frame-rate.ts'
import { filmSeconds } from '../../../timeline/list-cuts.ts'
import { runGraph } from '../../../ffmpeg/process/run-ffmpeg.ts'
import type { Cut } from '../../cut/cut-footage.ts'
import { roomLeft } from '../../disk-room.ts'
import { progressOf, scratchOf } from '../../job-context.ts'
import { refuseTruncated } from '../../render/run-plan.ts'
import {
  openPictures,
  sizeWithin,
  type MadePictures,
  type OpenedPictures,
  type PictureOutput,
} from './open-pictures.ts'
import { codePictures } from './picture-coding.ts'
import { inScreenColors } from './take-pictures.ts'
import { thousandths } from '../../../numbers/thousandths.ts'

type MovingOutput = PictureOutput & { readonly outputFormat: MovingFormat }

export const isMovingOutput = (output: Output): output is MovingOutput =>
  isMoving(output.outputFormat)

/** Small enough for a page that shows many of them. */
const usual = { side: 480, fps: 12 } as const

/** Pictures that move without a sound, again and again. */
export async function renderMoving(
  cut: Cut,
  output: MovingOutput,
  place: number,
): Promise<MadePictures> {
  const { outputFormat: format, name } = output
  const { asked, warnings } = movingAsked(cut, output)
  const opened = await openPictures(cut, asked, place)
  const { context } = opened
  const lossless = `moving${place}.nut`
  const file = `moving${place}.${format}`
  const roomBytes = await roomLeft(scratchOf(context))
  await writeLossless(opened, lossless, roomBytes)
  await refuseTruncated(context, roomBytes, [lossless], Infinity)
  const most = Math.min(roomBytes, context.settings.MAX_OUTPUT_BYTES)
  const quality = output.compressionQuality ?? cut.context.job.options.compressionQuality
  const run = { lossless, file, muxing: ['-loop', '0', '-fs', String(most)] }
  await (format === 'gif' ? writeGif(opened, run) : writeWebp(opened, { ...run, quality }))
  await refuseTruncated(context, roomBytes, [file])
  await rm(path.join(context.tools.folder, lossless), { force: true })
  const kind = namedKind(name)
  const fps = fpsOf(opened.frameRate)
  const whole = async () =>
    openPictures(cut, { ...asked, startTime: undefined, duration: undefined }, place)
  return {
    files: [{ file, kind, extension: format }],
    planned: { sizes: [opened.size], moving: { seconds: opened.seconds, fps } },
    shown: { kind: 'moving', opened, whole, startTime: asked.startTime ?? 0, fps },
    told: {
      ...{ name, kind, format, ...opened.size },
      duration: thousandths(opened.seconds),
      warnings: [...opened.warnings, ...warnings].slice(0, 200),
    },
  }
}

/** The requested output, with defaults for what the request leaves out. */
export function movingAsked(cut: Cut, output: MovingOutput) {
  const { duration, warnings } = lasting(output, filmSeconds(cut))
  const size = sizeWithin(cut, output, usual.side)
  return { asked: { ...output, fps: output.fps ?? usual.fps, ...size, duration }, warnings }
}

/** The pixels of all of its pictures, in millions. */
export function movingPixels(cut: Cut, output: MovingOutput): number {
  const { asked } = movingAsked(cut, output)
  const { frame } = shapeClips(cut.clips, optionsOf(cut.context.job.options, output))
  const { width, height } = exactFrame(frame, asked)
  const seconds = Math.min(asked.duration ?? Infinity, filmSeconds(cut))
  return (width * height * (fpsAsked(asked.fps) ?? usual.fps) * seconds) / 1e6
}

/** How long it lasts: the whole film, or an error if that is so long that it has to be a video. */
function lasting({ outputFormat, startTime = 0, duration }: MovingOutput, seconds: number) {
  if (duration !== undefined) return { duration, warnings: [] }
  if (seconds - startTime <= limits.movingSeconds) return { duration, warnings: [] }
  const most = limits.movingSeconds
  const warning = `duration: ${outputFormat} holds at most ${most} seconds; these are the first ones.`
  return { duration: most, warnings: [warning] }
}

/** A palette is made from all pictures before the first one is coded, and they do not fit into memory together. */
async function writeLossless(
  { context, video, timing, seconds }: OpenedPictures,
  file: string,
  roomBytes: number,
): Promise<void> {
  const { tools } = context
  const onProgress = progressOf(context, 'rendering')
  const coding = ['-c:v', 'ffv1', '-level', '3', '-slices', '4', '-fps_mode:v', 'passthrough']
  const made = {
    tracks: [{ stream: inScreenColors(video, 'bgr0'), coding }],
    muxing: ['-fs', String(roomBytes), '-f', 'nut'],
    path: file,
    ...(timing && { timing }),
  }
  await runGraph(tools, made, ({ outSeconds }) => onProgress((0.6 * outSeconds) / seconds))
}

type Coding = {
  readonly lossless: string
  readonly file: string
  readonly muxing: readonly string[]
}

/** The colours that this clip needs most; those of moving parts count first. */
async function writeGif(opened: OpenedPictures, { lossless, file, muxing }: Coding): Promise<void> {
  const { context, seconds } = opened
  const onProgress = progressOf(context, 'rendering')
  const palette = `${lossless}.png`
  await codePictures(context.tools, {
    inputs: [['nut', lossless]],
    graph: '[0:v]palettegen=stats_mode=full:reserve_transparent=1',
    writing: ['-frames:v', '1', '-c:v', 'png', '-f', 'image2', '-update', '1'],
    file: palette,
  })
  const onSeconds = (at: number) => onProgress(0.6 + (0.4 * at) / seconds)
  const run = {
    inputs: [
      ['nut', lossless],
      ['png_pipe', palette],
    ] as const,
    graph: '[0:v][1:v]paletteuse=dither=sierra2_4a:diff_mode=rectangle',
    writing: ['-c:v', 'gif', ...muxing, '-f', 'gif'],
    file,
  }
  await codePictures(context.tools, run, onSeconds)
}

/** From 40 to 90 of libwebp's 100: above that, files grow without looking better. */
async function writeWebp(
  { context, seconds }: OpenedPictures,
  { lossless, file, muxing, quality }: Coding & { readonly quality: number },
): Promise<void> {
  const onProgress = progressOf(context, 'rendering')
  const rate = String(Math.round(40 + ((quality - 1) * 50) / 99))
  const writing = ['-c:v', 'libwebp_anim', '-quality', rate, '-compression_level', '4']
  const run = {
    inputs: [['nut', lossless]] as const,
    writing: [...writing, ...muxing, '-f', 'webp'],
    file,
  }
  await codePictures(context.tools, run, (at) => onProgress(0.6 + (0.4 * at) / seconds))
}
