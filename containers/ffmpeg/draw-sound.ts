import { rm } from 'node:fs/promises'
import path from 'node:path'
import { JobError } from '../errors/job-error.ts'
import { writingGlobals, guardedInput } from '../graph/compile-args.ts'
import { rateText, type FrameRate } from '../timeline/frame-rate.ts'
import { undecodable } from './measure-media.ts'
import { drawPicture, pictureCoding } from './draw-picture.ts'
import type { GifFacts, StillFacts } from './measure-picture.ts'
import { runFfmpeg } from './process/run-ffmpeg.ts'
import type { ToolContext } from './process/run-tool.ts'
import { nearestEven } from '../numbers/nearest-even.ts'

/** A measured picture of the job folder, or a colour. */
export type Ground =
  | { readonly path: string; readonly facts: GifFacts | StillFacts }
  | { readonly color: string; readonly width: number; readonly height: number }

type SoundClip = {
  /** The names of the sound and of the clip inside the job folder. */
  readonly from: string
  readonly to: string
  readonly field: string
  readonly demuxer: string
  readonly maxSeconds: number
  readonly ground: Ground
  readonly waveColor: string | undefined
  readonly rate: FrameRate
  readonly backgroundColor: string
  readonly mostPixels: number
}

/** More than a media worker rounds, so that a clip that is longer than allowed is still too long. */
const spareSeconds = 2
/** How many seconds of a background are drawn and then repeated without encoding: more for larger key pictures. */
const pictureSeconds = 5
const colorSeconds = 1

/** Makes a clip from a sound: losslessly, and with a picture that is drawn once, however long the sound is. */
export async function drawSound(tools: ToolContext, clip: SoundClip): Promise<void> {
  const { to, waveColor } = clip
  const [sound, ground, wave] = [`${to}-sound`, `${to}-ground`, `${to}-wave`]
  const seconds = await unpackSound(tools, clip, sound).catch((error: unknown) => {
    if (!(error instanceof JobError) || error.reason !== 'source_undecodable') throw error
    throw new JobError(error.reason, `${clip.field}: the sound cannot be decoded.`, {
      cause: error,
    })
  })
  await drawGround(tools, clip, ground)
  const length = ['-t', seconds.toFixed(6), '-fflags', '+bitexact', '-f', 'mp4']
  const looped = ['-stream_loop', '-1', ...guardedInput(ground, 'mov')]
  if (waveColor !== undefined) {
    const graph = ['-filter_complex', waveOf(clip, waveColor), '-map', '[drawn]']
    const opened = [...looped, ...guardedInput(sound, 'mov')]
    const coding = [...pictureCoding(tools), ...length, `file:${wave}`]
    await runFfmpeg(tools, { args: [...writingGlobals, ...opened, ...graph, ...coding] })
  }
  const args = [
    ...[...writingGlobals, ...(waveColor === undefined ? looped : guardedInput(wave, 'mov'))],
    ...[...guardedInput(sound, 'mov'), '-map', '0:v:0', '-map', '1:a:0', '-c', 'copy'],
    ...['-strict', 'experimental', ...length, `file:${to}`],
  ]
  await runFfmpeg(tools, { args })
  const beside = [sound, ground, ...(waveColor === undefined ? [] : [wave])]
  await Promise.all(beside.map(async (name) => rm(path.join(tools.folder, name))))
}

/** Decodes the sound, because only then its length is known to the sample; anything in the file besides the samples is lost. */
async function unpackSound(
  tools: ToolContext,
  { from, field, demuxer, maxSeconds }: SoundClip,
  to: string,
): Promise<number> {
  let seconds = 0
  const args = [
    ...[...writingGlobals, '-threads', '1', ...guardedInput(from, demuxer), '-map', '0:a:0', '-vn'],
    ...['-af', 'asetpts=N/SR/TB', '-c:a', 'flac', '-strict', 'experimental'],
    ...['-map_metadata', '-1', '-map_chapters', '-1', '-t', String(maxSeconds + spareSeconds)],
    ...['-f', 'mp4', `file:${to}`],
  ]
  await runFfmpeg(tools, { args }, ({ outSeconds }) => (seconds = outSeconds))
  if (seconds <= 0) throw undecodable(field, 'the sound cannot be decoded.')
  return seconds
}

async function drawGround(tools: ToolContext, clip: SoundClip, to: string): Promise<void> {
  const { ground, rate } = clip
  if ('path' in ground) {
    const isMoving = ground.facts.kind === 'gif'
    const seconds = isMoving ? ground.facts.seconds : pictureSeconds
    const drawn = { from: ground.path, to, seconds, motion: 'none' } as const
    return drawPicture(tools, { ...clip, ...ground, ...drawn })
  }
  const { color, width, height } = ground
  const even = [width, height].map((side) => nearestEven(side)).join('x')
  const drawn = `color=c=0x${color.slice(1)}:s=${even}:r=${rateText(rate)},format=gbrp`
  const args = [
    ...[...writingGlobals, '-f', 'lavfi', '-i', drawn],
    ...['-vf', 'scale=out_color_matrix=bt709:out_range=tv', '-t', String(colorSeconds)],
    ...[...pictureCoding(tools), '-fflags', '+bitexact', '-f', 'mp4', `file:${to}`],
  ]
  await runFfmpeg(tools, { args })
}

/** Draws the waveform as it is heard, over the middle half of the background. */
function waveOf(clip: SoundClip, color: string): string {
  const { ground, rate } = clip
  const facts = 'path' in ground ? ground.facts : ground
  const share = Math.min(1, clip.mostPixels / Math.max(facts.width, facts.height))
  const size = `${nearestEven(facts.width * share)}x${nearestEven((facts.height / 2) * share)}`
  const drawn = `showwaves=s=${size}:mode=cline:draw=full:scale=sqrt:r=${rateText(rate)}:colors=0x${color.slice(1)}`
  return [
    `[1:a:0]aformat=channel_layouts=mono,${drawn},format=rgba[wave]`,
    `[0:v:0]setpts=N/(${rateText(rate)})/TB,scale=in_color_matrix=bt709,format=gbrp[ground]`,
    `[ground][wave]overlay=0:(H-h)/2:format=gbrp,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p[drawn]`,
  ].join(';')
}
