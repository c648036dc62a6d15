import { open } from 'node:fs/promises'
import path from 'node:path'
import type { Pictures } from '../timeline/finished-video.ts'
import type { FrameSample, GrayFrame } from './score-frames.ts'
import { shrinkGray } from './shrink-gray.ts'

/** Large enough to recognise blur, and small enough to be judged quickly. */
const sampleSide = 480

/** The size of a picture in 4:2:0: one plane of luma, and two of chroma with half as many columns and rows. */
export function pictureBytes({ width, height }: Pick<Pictures, 'width' | 'height'>): number {
  return width * height + 2 * Math.ceil(width / 2) * Math.ceil(height / 2)
}

/** Reads both pictures of each moment, in grey and scaled down. Only one picture at a time is in memory in its full size. */
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

/** Tells ffmpeg how to read the raw file: as one picture per second, so that the time in seconds is the index of a picture. */
export function rawReading({ width, height }: Pick<Pictures, 'width' | 'height'>): string[] {
  const size = `${width}x${height}`
  return ['-pixel_format', 'yuvj420p', '-video_size', size, '-framerate', '1']
}
