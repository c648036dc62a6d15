import { describe, expect, it } from 'vitest'
import { Fourier } from '../../../../containers/sound/dsp/fourier.ts'

const size = 64
const real = Float64Array.from({ length: size }, (_, i) => Math.sin(i * i) + 0.2)
const imaginary = Float64Array.from({ length: size }, (_, i) => Math.cos(i * 3.7))

describe('Fourier', () => {
  it('agrees with the definition of the transform', () => {
    const [re, im] = [Float64Array.from(real), Float64Array.from(imaginary)]
    new Fourier(size).forward(re, im)
    for (const bin of [0, 1, 17, 63]) {
      const angle = (i: number): number => (-2 * Math.PI * bin * i) / size
      const sum = (part: (i: number) => number): number =>
        real.reduce((total, _, i) => total + part(i), 0)
      const [x, y] = [(i: number) => real[i] ?? 0, (i: number) => imaginary[i] ?? 0]
      expect(re[bin]).toBeCloseTo(
        sum((i) => x(i) * Math.cos(angle(i)) - y(i) * Math.sin(angle(i))),
        9,
      )
      expect(im[bin]).toBeCloseTo(
        sum((i) => x(i) * Math.sin(angle(i)) + y(i) * Math.cos(angle(i))),
        9,
      )
    }
  })

  it('returns the input after the inverse transform', () => {
    const [re, im] = [Float64Array.from(real), Float64Array.from(imaginary)]
    const fourier = new Fourier(size)
    fourier.forward(re, im)
    fourier.inverse(re, im)
    re.forEach((value, i) => expect(value / size).toBeCloseTo(real[i] ?? 0, 12))
    im.forEach((value, i) => expect(value / size).toBeCloseTo(imaginary[i] ?? 0, 12))
  })

  it('refuses a size that is not a power of two', () => {
    expect(() => new Fourier(100)).toThrow('power of two')
  })
})
