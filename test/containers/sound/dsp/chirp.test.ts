import { describe, expect, it } from 'vitest'
import { Chirp } from '../../../../containers/sound/dsp/chirp.ts'

/** The definition of the transform. */
function slowly(re: readonly number[], im: readonly number[], line: number) {
  let [real, imaginary] = [0, 0]
  re.forEach((a, n) => {
    const angle = (-2 * Math.PI * line * n) / re.length
    const b = im[n] ?? 0
    real += a * Math.cos(angle) - b * Math.sin(angle)
    imaginary += a * Math.sin(angle) + b * Math.cos(angle)
  })
  return { real, imaginary }
}

describe('Chirp', () => {
  it.each([1, 2, 7, 100, 400])('transforms %i numbers as the definition says', (size) => {
    const re = Array.from({ length: size }, (_, n) => Math.sin(n * n) + n / size)
    const im = Array.from({ length: size }, (_, n) => Math.cos(3 * n))
    const [real, imaginary] = [Float64Array.from(re), Float64Array.from(im)]
    const chirp = new Chirp(size)
    chirp.forward(real, imaginary)
    for (const line of [0, 1, Math.floor(size / 2), size - 1]) {
      const right = slowly(re, im, line)
      expect(real[line] ?? 0).toBeCloseTo(line < size ? right.real : 0, 8)
      expect(imaginary[line] ?? 0).toBeCloseTo(line < size ? right.imaginary : 0, 8)
    }
  })
})
