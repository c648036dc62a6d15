/** The Hann window: what is cut out of a sound fades in and out, so that its edges add no frequencies. */
export function hannWindow(size: number): Float64Array {
  return Float64Array.from(
    { length: size },
    (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / size),
  )
}

/** A fast Fourier transform of one size, in place; its tables are computed once. */
export class Fourier {
  readonly size: number
  readonly #cosine: Float64Array
  readonly #sine: Float64Array
  readonly #swapped: Uint32Array

  constructor(size: number) {
    if (!Number.isInteger(Math.log2(size))) throw new RangeError('The size is not a power of two')
    this.size = size
    const angle = (i: number): number => (2 * Math.PI * i) / size
    this.#cosine = Float64Array.from({ length: size / 2 }, (_, i) => Math.cos(angle(i)))
    this.#sine = Float64Array.from({ length: size / 2 }, (_, i) => Math.sin(angle(i)))
    const bits = Math.log2(size)
    this.#swapped = Uint32Array.from({ length: size }, (_, i) => reverseBits(i, bits))
  }

  forward(real: Float64Array, imaginary: Float64Array): void {
    this.#reorder(real, imaginary)
    firstStage(real, imaginary)
    for (let half = 2; half < this.size; half *= 2) this.#stage(real, imaginary, half)
  }

  /** Does not divide by the size. */
  inverse(real: Float64Array, imaginary: Float64Array): void {
    this.forward(imaginary, real)
  }

  #reorder(real: Float64Array, imaginary: Float64Array): void {
    const swapped = this.#swapped
    for (let i = 0; i < swapped.length; i++) {
      const k = swapped[i] ?? 0
      if (k <= i) continue
      const re = real[i] ?? 0
      const im = imaginary[i] ?? 0
      real[i] = real[k] ?? 0
      imaginary[i] = imaginary[k] ?? 0
      real[k] = re
      imaginary[k] = im
    }
  }

  #stage(real: Float64Array, imaginary: Float64Array, half: number): void {
    const step = this.size / (2 * half)
    const cosines = this.#cosine
    const sines = this.#sine
    for (let start = 0; start < this.size; start += 2 * half) {
      for (let k = 0; k < half; k++) {
        const cosine = cosines[k * step] ?? 0
        const sine = sines[k * step] ?? 0
        const a = start + k
        const b = a + half
        const bRe = real[b] ?? 0
        const bIm = imaginary[b] ?? 0
        const re = bRe * cosine + bIm * sine
        const im = bIm * cosine - bRe * sine
        const aRe = real[a] ?? 0
        const aIm = imaginary[a] ?? 0
        real[b] = aRe - re
        imaginary[b] = aIm - im
        real[a] = aRe + re
        imaginary[a] = aIm + im
      }
    }
  }
}

/** Combines neighbours; the first stage needs no rotation. */
function firstStage(real: Float64Array, imaginary: Float64Array): void {
  for (let a = 0; a < real.length; a += 2) {
    const re = real[a + 1] ?? 0
    const im = imaginary[a + 1] ?? 0
    real[a + 1] = (real[a] ?? 0) - re
    imaginary[a + 1] = (imaginary[a] ?? 0) - im
    real[a] = (real[a] ?? 0) + re
    imaginary[a] = (imaginary[a] ?? 0) + im
  }
}

function reverseBits(value: number, bits: number): number {
  let reversed = 0
  for (let bit = 0; bit < bits; bit++) reversed = reversed * 2 + ((value >> bit) & 1)
  return reversed
}
