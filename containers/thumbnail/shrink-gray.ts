import { fitWithin } from './fit-within.ts'
import type { GrayFrame } from './score-frames.ts'

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
