import { open } from 'node:fs/promises'
import path from 'node:path'
import type { Pictures } from '../timeline/finished-video.ts'
import type { FrameSample, GrayFrame } from './score-frames.ts'
import { shrinkGray } from './shrink-gray.ts'

/** Large enough to tell blur, small enough to be looked at in no time. */
const sampleSide = 480

/** Of 4:2:0: a plane of light, and two of colour with half as many columns and rows. */
export function pictureBytes({ width, height }: Pick<Pictures, 'width' | 'height'>): number {
  return width * height + 2 * Math.ceil(width / 2) * Math.ceil(height / 2)
}

/** Every moment with what follows it, in grey and small; one of them in memory in its own size at a time. */
export async function readSamples(folder: string, pictures: Pictures): Promise<FrameSample[]> {
  const { width, height, count } = pictures
  const file = await open(path.join(folder, pictures.path))
  const plane = Buffer.alloc(width * height)
  const frameAt = async (place: number): Promise<GrayFrame> => {
    await file.read(plane, 0, plane.length, place * pictureBytes(pictures))
    return shrinkGray({ width, height, pixels: plane }, sampleSide)
  }
  try {
    const samples: FrameSample[] = []
    for (let place = 0; place < count; place += 2) {
      const first = await frameAt(place)
      samples.push({ first, next: place + 1 < count ? await frameAt(place + 1) : undefined })
    }
    return samples
  } finally {
    await file.close()
  }
}

/** How ffmpeg is told what the raw data is: a picture a second, so that seconds count places. */
export function rawReading({ width, height }: Pick<Pictures, 'width' | 'height'>): string[] {
  const size = `${width}x${height}`
  return ['-pixel_format', 'yuvj420p', '-video_size', size, '-framerate', '1']
}
