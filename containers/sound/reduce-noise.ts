import { open } from 'node:fs/promises'
import type { NoiseProfile } from './noise-profile.ts'
import { bytesPerFrame, channels } from './pcm.ts'
import { samplesOf } from './read-pcm.ts'
import { binCount, FrameCutter, frameSamples, hopSamples, Spectrum } from './spectrum.ts'

/** What is left of noise: total silence between words sounds as if the line were cut. */
const leastGain = 10 ** (-20 / 20)
/** The estimate is a mean, and noise is often above its mean. */
const overestimate = 1.5
/** How much a frame is believed to be like the one before: without it, noise turns into chirping. */
const memory = 0.92

/**
 * Takes a known noise out of a stream of sound: a Wiener filter for each frequency, its signal-to-noise ratio carried on
 * from frame to frame (Ephraim and Malah, 1984). What comes out is one hop late.
 */
export class NoiseReducer {
  readonly #profile: NoiseProfile
  readonly #cutter = new FrameCutter()
  readonly #spectrum = new Spectrum()
  readonly #gains = new Float64Array(binCount)
  readonly #speechPower = new Float64Array(binCount)
  readonly #overlap = new Float32Array(frameSamples * channels)
  #frame = 0

  constructor(profile: NoiseProfile) {
    this.#profile = profile
  }

  push(samples: Float32Array, onSamples: (samples: Float32Array) => void): void {
    this.#cutter.push(samples, (frame) => {
      this.#spectrum.analyse(frame)
      this.#chooseGains(this.#profile.powerAt(this.#frame))
      this.#spectrum.scale(this.#gains)
      this.#spectrum.addTo(this.#overlap)
      this.#frame += 1
      onSamples(this.#overlap.subarray(0, hopSamples * channels))
      this.#overlap.copyWithin(0, hopSamples * channels)
      this.#overlap.fill(0, hopSamples * channels)
    })
  }

  #chooseGains(noise: Float32Array): void {
    const { power } = this.#spectrum
    for (let bin = 0; bin < binCount; bin++) {
      const noisePower = (noise[bin] ?? 0) * overestimate + 1e-12
      const now = Math.max(0, (power[bin] ?? 0) / noisePower - 1)
      const ratio = memory * ((this.#speechPower[bin] ?? 0) / noisePower) + (1 - memory) * now
      const gain = Math.max(leastGain, ratio / (1 + ratio))
      this.#gains[bin] = gain
      this.#speechPower[bin] = gain * gain * (power[bin] ?? 0)
    }
  }
}

const chunkFrames = 8_192

/** Cleans a file of samples in place and shows every cleaned piece to `onSamples`. */
export async function reduceNoise(
  file: string,
  profile: NoiseProfile,
  signal: AbortSignal,
  onSamples: (samples: Float32Array) => void,
): Promise<void> {
  const handle = await open(file, 'r+')
  const reducer = new NoiseReducer(profile)
  const bytes = Buffer.from(new ArrayBuffer(chunkFrames * bytesPerFrame))
  const cleaned = Buffer.from(new ArrayBuffer((chunkFrames + frameSamples) * bytesPerFrame))
  try {
    const { size } = await handle.stat()
    // The first hop that comes out lies before the beginning.
    let target = -hopSamples * bytesPerFrame
    for (let at = 0; target < size; at += bytes.length) {
      signal.throwIfAborted()
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, at)
      bytes.fill(0, bytesRead)
      let length = 0
      reducer.push(samplesOf(bytes, bytes.length), (samples) => {
        cleaned.set(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength), length)
        length += samples.byteLength
      })
      const from = Math.max(0, -target)
      const to = Math.min(length, size - target)
      onSamples(samplesOf(cleaned.subarray(from, to), to - from))
      await handle.write(cleaned, from, to - from, target + from)
      target += length
    }
  } finally {
    await handle.close()
  }
}
