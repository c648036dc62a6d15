import path from 'node:path'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** As large as the pictures that AdaptiveDetector compares. */
export const filmSize = { width: 256, height: 144 } as const
const { width, height } = filmSize

/** Draws a picture of a scene at a moment. */
export type Scene = (seconds: number) => Uint8Array

type Photo = { readonly width: number; readonly height: number; readonly rgb: Uint8Array }

/** Which part of a photo a camera shows at a moment, in pixels of the photo. */
type Camera = (seconds: number) => { x: number; y: number; wide: number }

/** Photos that an installed package brings along. */
const photoFiles = ['samples.jpg', 'screenshot-facematch.jpg', 'facemesh.png'] as const

export async function readPhotos(): Promise<Photo[]> {
  return Promise.all(
    photoFiles.map(async (name) => {
      const file = path.resolve('node_modules/@vladmandic/human/assets', name)
      const size = { width: 1280, height: 800 }
      const crop = 'scale=1280:800:force_original_aspect_ratio=increase:flags=area,crop=1280:800'
      const raw = ['-frames:v', '1', '-pix_fmt', 'rgb24', '-f', 'rawvideo', '-']
      const args = ['-nostdin', '-v', 'error', '-i', file, '-vf', crop, ...raw]
      const options = { encoding: 'buffer', maxBuffer: 1e8 } as const
      return { ...size, rgb: (await promisify(execFile)('ffmpeg', args, options)).stdout }
    }),
  )
}

export function filmed(photo: Photo | undefined, camera: Camera): Scene {
  if (!photo) throw new Error('No such photo')
  return (seconds) => {
    const { x, y, wide } = camera(seconds)
    const drawn = new Uint8Array(width * height * 3)
    const step = wide / width
    for (let row = 0; row < height; row++) {
      const fromY = Math.min(photo.height - 1.01, Math.max(0, y + row * step))
      const top = Math.floor(fromY)
      for (let column = 0; column < width; column++) {
        const fromX = Math.min(photo.width - 1.01, Math.max(0, x + column * step))
        const left = Math.floor(fromX)
        const from = (top * photo.width + left) * 3
        const [right, down] = [fromX - left, fromY - top]
        for (let plane = 0; plane < 3; plane++) {
          const pixel = (at: number): number => photo.rgb[from + plane + at] ?? 0
          const above = pixel(0) + right * (pixel(3) - pixel(0))
          const below = pixel(photo.width * 3)
          const low = below + right * (pixel(photo.width * 3 + 3) - below)
          drawn[(row * width + column) * 3 + plane] = above + down * (low - above)
        }
      }
    }
    return drawn
  }
}

/** Random numbers from 0 to 1 that belong to a place. */
export function noiseAt(x: number, y: number, seed: number): number {
  let mixed = Math.imul(x, 374761393) + Math.imul(y, 668265263) + Math.imul(seed, 1274126177)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 1274126177)
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32
}

/** Grains of a size in pixels that run across the picture, as lines of text or a fabric do. */
export function texture(grain: number, pace: readonly [x: number, y: number], seed: number): Scene {
  return (seconds) => {
    const drawn = new Uint8Array(width * height * 3)
    for (let row = 0; row < height; row++) {
      for (let column = 0; column < width; column++) {
        const x = Math.floor((column + pace[0] * seconds) / grain)
        const y = Math.floor((row + pace[1] * seconds) / grain)
        const light = 255 * noiseAt(x, y, seed)
        const at = (row * width + column) * 3
        drawn.fill(light, at, at + 3)
      }
    }
    return drawn
  }
}

/** A disc that goes round before a plain ground, as animations have them. */
export function drawn(ground: readonly number[], disc: readonly number[], speed: number): Scene {
  return (seconds) => {
    const pixels = new Uint8Array(width * height * 3)
    const [x, y] = [128 + 70 * Math.sin(speed * seconds), 72 + 30 * Math.cos(speed * seconds)]
    for (let row = 0; row < height; row++) {
      for (let column = 0; column < width; column++) {
        const isDisc = (column - x) ** 2 + (row - y) ** 2 < 900
        pixels.set(
          isDisc ? disc : ground.map((value) => value - row / 4),
          (row * width + column) * 3,
        )
      }
    }
    return pixels
  }
}

export function mixed(a: Uint8Array, b: Uint8Array, share: number): Uint8Array {
  return a.map((value, at) => value + share * ((b[at] ?? 0) - value))
}

export function lit(picture: Uint8Array, factor: number, more = 0): Uint8Array {
  return picture.map((value) => Math.min(255, Math.max(0, value * factor + more)))
}
