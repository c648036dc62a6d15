import { makeFile } from '../../node/fixtures.ts'
import { ffmpeg, ffmpegBytes } from '../run-tool.ts'

const bits = 16
const barPixels = 8
const width = bits * barPixels
const height = 16

type CountedSpec = {
  seconds: number
  fps: number | string
  /** Counts on from here, so that clips can be told apart. */
  firstNumber?: number
  /** Drops every seventh picture: the others keep their times. */
  isVariable?: boolean
  /** An ffmpeg source of sound; none when `null`. */
  sound?: string | null
  coding?: readonly string[]
  extension?: string
}

export const noise = (seconds: number, seed = 1): string =>
  `anoisesrc=d=${seconds}:r=48000:a=0.3:seed=${seed},lowpass=f=3000`

/** Coding for a counted video, with settings of x264. */
export const x264 = (params: string, ...more: string[]) => [
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', ...more],
  ...['-fps_mode', 'vfr', '-x264-params', params],
]

/** Cuts of a hundred pictures that end inside groups, and in the middle of reordered pictures. */
export const someCuts = [
  { from: 18, to: 33 },
  { from: 70, to: 76 },
]

type Span = { from: number; to: number }

/** The numbers of the pictures that the cuts leave, of a film with this many pictures. */
export function keptOf(count: number, removed: readonly Span[]): number[] {
  const all = Array.from({ length: count }, (_, i) => i)
  return all.filter((i) => removed.every(({ from, to }) => i < from || i >= to))
}

/** A video whose pictures show their number as sixteen black or white bars. */
export async function countedVideo(spec: CountedSpec): Promise<string> {
  const { seconds, fps, firstNumber = 0, isVariable = false } = spec
  const sound = spec.sound === undefined ? noise(seconds) : spec.sound
  const bar = `if(bitand(floor((N+${firstNumber})/pow(2,X)),1),235,16)`
  // Drawn a pixel a bar, because expressions are slow, and then enlarged.
  const drawn = `color=c=black:s=${bits}x2:r=${fps}:d=${seconds},format=gray,geq=lum='${bar}'`
  const counter = `${drawn},scale=${width}:${height}:flags=neighbor`
  const dropped = isVariable ? ",select='not(eq(mod(n,7),3))'" : ''
  const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '12', '-pix_fmt', 'yuv420p']
  return makeFile(spec.extension ?? 'mp4', [
    ...['-f', 'lavfi', '-i', counter + dropped],
    ...(sound === null ? [] : ['-f', 'lavfi', '-i', sound]),
    ...(spec.coding ?? [...h264, '-fps_mode', 'vfr', '-c:a', 'aac', '-b:a', '128k']),
  ])
}

/** The same in VP9, encoded in two passes: only then libvpx stores hidden frames, up to 25 pictures ahead. */
export async function twoPassVideo(
  spec: Omit<CountedSpec, 'sound' | 'coding' | 'extension'>,
  coding: readonly string[],
): Promise<string> {
  const plain = await countedVideo({
    ...spec,
    ...{ sound: null, coding: ['-c:v', 'ffv1', '-fps_mode', 'vfr'], extension: 'mkv' },
  })
  const log = `${plain}.passes`
  const passes = ['-c:v', 'libvpx-vp9', ...coding, '-fps_mode', 'vfr', '-passlogfile', log, '-pass']
  await ffmpeg(['-y', '-i', plain, ...passes, '1', '-f', 'null', '-'])
  return makeFile('webm', ['-i', plain, ...passes, '2'])
}

/** The number every picture shows, in order of appearance. */
export async function shownNumbers(file: string): Promise<number[]> {
  const pixels = await ffmpegBytes([
    ...['-i', file, '-map', '0:v', '-fps_mode', 'passthrough'],
    ...['-vf', `scale=${width}:${height}:flags=neighbor,format=gray`, '-f', 'rawvideo', '-'],
  ])
  const frameBytes = width * height
  return Array.from({ length: pixels.length / frameBytes }, (_, frame) => {
    const row = frame * frameBytes + (height / 2) * width
    return Array.from({ length: bits }, (_, bit) => bit)
      .filter((bit) => (pixels[row + bit * barPixels + barPixels / 2] ?? 0) > 127)
      .reduce((sum, bit) => sum + 2 ** bit, 0)
  })
}
