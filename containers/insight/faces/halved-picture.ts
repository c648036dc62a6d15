import type { RgbPicture } from '../objects/object-model.ts'

/** Each pixel is the mean of four. */
export function halvedPicture({ width, height, pixels }: RgbPicture): RgbPicture {
  const half = { width: Math.max(1, width >> 1), height: Math.max(1, height >> 1) }
  const means = new Uint8Array(half.width * half.height * 3)
  const across = width > 1 ? 3 : 0
  const down = height > 1 ? width * 3 : 0
  for (let y = 0; y < half.height; y++) {
    for (let x = 0; x < half.width; x++) {
      for (let plane = 0; plane < 3; plane++) {
        const from = (2 * y * width + 2 * x) * 3 + plane
        const upper = (pixels[from] ?? 0) + (pixels[from + across] ?? 0)
        const lower = (pixels[from + down] ?? 0) + (pixels[from + down + across] ?? 0)
        means[(y * half.width + x) * 3 + plane] = (upper + lower) >> 2
      }
    }
  }
  return { ...half, pixels: means }
}
