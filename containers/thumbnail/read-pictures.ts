import { open } from 'node:fs/promises'
import path from 'node:path'
import type { Pictures } from '../timeline/finished-video.ts'
import { fitWithin } from './fit-within.ts'
import type { FrameSample, GrayFrame } from './score-frames.ts'

/** Large enough to recognise blur, and small enough to be judged quickly. */
const sampleSide = 480

/** The size of a picture in 4:2:0: one plane of luma, and two of chroma with half as many columns and rows. */
export function pictureBytes({ width, height }: Pick<Pictures, 'width' | 'height'>): number {
  return width * height + 2 * Math.ceil(width / 2) * Math.ceil(height / 2)
}

/** Reads both pictures of each moment, in grey and scaled down. Only one picture at a time is in memory in its full size. */
export async function readSamples(folder: string, pictures: Pictures): Promise<FrameSample[]> {
  const { width, height, count } = pictures
  await using file = await open(path.join(folder, pictures.path))
  const plane = Buffer.alloc(width * height)
  const frameAt = async (place: number): Promise<GrayFrame> => {
    await file.read(plane, 0, plane.length, place * pictureBytes(pictures))
    return shrinkGray({ width, height, pixels: plane }, sampleSide)
  }
  const samples: FrameSample[] = []
  for (let place = 0; place < count; place += 2) {
    const first = await frameAt(place)
    samples.push({ first, next: place + 1 < count ? await frameAt(place + 1) : undefined })
  }
  return samples
}

/** Tells ffmpeg how to read the raw file: as one picture per second, so that the time in seconds is the index of a picture. */
export function rawReading({ width, height }: Pick<Pictures, 'width' | 'height'>): string[] {
  const size = `${width}x${height}`
  return ['-pixel_format', 'yuvj420p', '-video_size', size, '-framerate', '1']
}

/** Scales a picture down: each pixel is the mean of those it replaces. A picture that fits already is only copied. */
export function shrinkGray({ width, height, pixels }: GrayFrame, side: number): GrayFrame {
  const { w, h } = fitWithin({ width, height }, side)
  const columns = edges(width, w)
  const rows = edges(height, h)
  const small = new Uint8Array(w * h)
  for (let y = 0; y < h; y++) {
    const [top = 0, bottom = 0] = rows.subarray(y, y + 2)
    for (let x = 0; x < w; x++) {
      const left = columns[x] ?? 0
      const right = columns[x + 1] ?? 0
      let sum = 0
      for (let row = top; row < bottom; row++) {
        const start = row * width
        for (let at = start + left; at < start + right; at++) sum += pixels[at] ?? 0
      }
      small[y * w + x] = Math.round(sum / ((bottom - top) * (right - left)))
    }
  }
  return { width: w, height: h, pixels: small }
}

/** The beginnings of equal parts of a length, and the end of the last one. */
function edges(length: number, parts: number): Uint32Array {
  return Uint32Array.from({ length: parts + 1 }, (_, i) => Math.floor((i * length) / parts))
}
