import { Fourier } from './fourier.ts'

/**
 * A Fourier transform of any size, by Bluestein's method: as a convolution with a chirp, which transforms whose size is a
 * power of two can compute.
 */
export class Chirp {
  readonly size: number
  readonly #fourier: Fourier
  /** e^(-iπn²/size) */
  readonly #chirp: ComplexWave
  /** The transform of the inverse chirp, divided by its size. */
  readonly #filter: ComplexWave
  readonly #work: ComplexWave

  constructor(size: number) {
    this.size = size
    const long = 2 ** Math.ceil(Math.log2(2 * size - 1))
    this.#fourier = new Fourier(long)
    this.#chirp = chirpOf(size)
    this.#filter = filterOf(this.#chirp, this.#fourier)
    this.#work = wave(long)
  }

  /** In place. */
  forward(real: Float64Array, imaginary: Float64Array): void {
    const { re, im } = this.#work
    re.fill(0)
    im.fill(0)
    multiply({ re: real, im: imaginary }, this.#chirp, { re, im }, this.size)
    this.#fourier.forward(re, im)
    multiply({ re, im }, this.#filter, { re, im }, re.length)
    this.#fourier.inverse(re, im)
    multiply({ re, im }, this.#chirp, { re: real, im: imaginary }, this.size)
  }
}

type ComplexWave = { readonly re: Float64Array; readonly im: Float64Array }

function wave(size: number): ComplexWave {
  return { re: new Float64Array(size), im: new Float64Array(size) }
}

function chirpOf(size: number): ComplexWave {
  // n² is taken modulo the period, because large angles lose digits.
  const angle = (n: number): number => (-Math.PI * ((n * n) % (2 * size))) / size
  return {
    re: Float64Array.from({ length: size }, (_, n) => Math.cos(angle(n))),
    im: Float64Array.from({ length: size }, (_, n) => Math.sin(angle(n))),
  }
}

function filterOf(chirp: ComplexWave, fourier: Fourier): ComplexWave {
  const { re, im } = wave(fourier.size)
  for (let n = 0; n < chirp.re.length; n++) {
    const mirrored = n === 0 ? 0 : fourier.size - n
    re[n] = re[mirrored] = (chirp.re[n] ?? 0) / fourier.size
    im[n] = im[mirrored] = -(chirp.im[n] ?? 0) / fourier.size
  }
  fourier.forward(re, im)
  return { re, im }
}

function multiply(one: ComplexWave, other: ComplexWave, into: ComplexWave, count: number): void {
  const { re: aRe, im: aIm } = one
  const { re: bRe, im: bIm } = other
  const { re, im } = into
  for (let i = 0; i < count; i++) {
    const a = aRe[i] ?? 0
    const b = aIm[i] ?? 0
    const c = bRe[i] ?? 0
    const d = bIm[i] ?? 0
    re[i] = a * c - b * d
    im[i] = a * d + b * c
  }
}
