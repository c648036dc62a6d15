import { ffmpegBytes } from '../run-tool.ts'

export type Rgb = readonly [red: number, green: number, blue: number]

export type Frame = {
  width: number
  height: number
  at(x: number, y: number): Rgb
}

/** Every picture of a video as a viewer sees it, after the matrix and range that the file is tagged with. */
export async function framesOf(file: string, count?: number): Promise<Frame[]> {
  const limit = count === undefined ? [] : ['-frames:v', String(count)]
  const exact = 'scale=flags=accurate_rnd+full_chroma_int+full_chroma_inp,format=rgb24'
  const picture = [...limit, '-vf', exact, '-fps_mode', 'passthrough', '-c:v', 'ppm']
  return picturesIn(await ffmpegBytes(['-i', file, '-an', ...picture, '-f', 'image2pipe', '-']))
}

/** Each picture in PPM says its own size, so no other program has to be asked. */
function picturesIn(stdout: Buffer): Frame[] {
  const frames: Frame[] = []
  let at = 0
  while (at < stdout.length) {
    const head = /^P6\n(\d+) (\d+)\n255\n/.exec(stdout.toString('latin1', at, at + 40))
    if (!head) throw new Error(`No picture at byte ${at}`)
    const [width, height] = [Number(head[1]), Number(head[2])]
    const from = at + head[0].length
    at = from + width * height * 3
    const bytes = stdout.subarray(from, at)
    frames.push({ width, height, at: (x, y) => pixelAt(bytes, (y * width + x) * 3) })
  }
  return frames
}

export async function firstFrame(file: string): Promise<Frame> {
  const [frame] = await framesOf(file, 1)
  if (!frame) throw new Error('No picture')
  return frame
}

function pixelAt(bytes: Buffer, offset: number): Rgb {
  return [bytes[offset] ?? -1, bytes[offset + 1] ?? -1, bytes[offset + 2] ?? -1]
}

/** The largest difference of any channel. */
export function colorDistance(a: Rgb, b: Rgb): number {
  return Math.max(...a.map((value, i) => Math.abs(value - (b[i] ?? 0))))
}

export function rgbOf(color: string): Rgb {
  const value = Number.parseInt(color.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}
