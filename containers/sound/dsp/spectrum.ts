import { Fourier } from './fourier.ts'
import { channels } from './pcm.ts'

/** 43 ms: long enough to separate the harmonics of a voice. */
export const frameSamples = 2_048
/** Each frame overlaps half of the next. */
export const hopSamples = frameSamples / 2
export const binCount = frameSamples / 2 + 1

const fourier = new Fourier(frameSamples)

/** Applied before and after the transform, two overlapping frames add up to one. */
export const window = Float64Array.from({ length: frameSamples }, (_, i) =>
  Math.sin((Math.PI * (i + 0.5)) / frameSamples),
)

/**
 * The spectrum of one stereo frame. One transform takes left as its real and right as its imaginary part: both channels
 * get the same gains, so they need not be separated.
 */
export class Spectrum {
  readonly real = new Float64Array(frameSamples)
  readonly imaginary = new Float64Array(frameSamples)
  /** The power of both channels together at each frequency. */
  readonly power = new Float64Array(binCount)

  analyse(interleaved: Float32Array): void {
    for (let i = 0; i < frameSamples; i++) {
      const weight = window[i] ?? 0
      this.real[i] = (interleaved[channels * i] ?? 0) * weight
      this.imaginary[i] = (interleaved[channels * i + 1] ?? 0) * weight
    }
    fourier.forward(this.real, this.imaginary)
    for (let bin = 0; bin < binCount; bin++) {
      const mirror = (frameSamples - bin) % frameSamples
      this.power[bin] = (this.#powerAt(bin) + this.#powerAt(mirror)) / 2
    }
  }

  scale(gains: Float64Array): void {
    for (let bin = 0; bin < binCount; bin++) {
      const gain = gains[bin] ?? 1
      this.#scaleAt(bin, gain)
      if (bin > 0 && bin < binCount - 1) this.#scaleAt(frameSamples - bin, gain)
    }
  }

  /** Transforms the frame back and adds it to the sound. */
  addTo(interleaved: Float32Array): void {
    fourier.inverse(this.real, this.imaginary)
    for (let i = 0; i < frameSamples; i++) {
      const weight = (window[i] ?? 0) / frameSamples
      const at = channels * i
      interleaved[at] = (interleaved[at] ?? 0) + (this.real[i] ?? 0) * weight
      interleaved[at + 1] = (interleaved[at + 1] ?? 0) + (this.imaginary[i] ?? 0) * weight
    }
  }

  #powerAt(i: number): number {
    return (this.real[i] ?? 0) ** 2 + (this.imaginary[i] ?? 0) ** 2
  }

  #scaleAt(i: number, gain: number): void {
    this.real[i] = (this.real[i] ?? 0) * gain
    this.imaginary[i] = (this.imaginary[i] ?? 0) * gain
  }
}

/** Cuts a stream that comes in pieces into overlapping frames; the first one begins one hop before the sound. */
export class FrameCutter {
  readonly #frame = new Float32Array(frameSamples * channels)
  #filled = hopSamples * channels

  push(samples: Float32Array, onFrame: (frame: Float32Array) => void): void {
    let read = 0
    while (read < samples.length) {
      const taken = Math.min(this.#frame.length - this.#filled, samples.length - read)
      this.#frame.set(samples.subarray(read, read + taken), this.#filled)
      this.#filled += taken
      read += taken
      if (this.#filled < this.#frame.length) continue
      onFrame(this.#frame)
      this.#frame.copyWithin(0, hopSamples * channels)
      this.#filled = hopSamples * channels
    }
  }
}
