import { NoiseListener, type NoiseProfile } from './learn-noise.ts'
import { PcmReader, samplesOf } from '../dsp/read-pcm.ts'
import { knownPlan, type TreatedStretch, type Treatment } from './noise-plan.ts'
import { VoiceListener, voiceBins } from './voice-gains.ts'
import { open } from 'node:fs/promises'
import { bytesPerFrame, channels } from '../dsp/pcm.ts'
import { binCount, FrameCutter, frameSamples, hopSamples, Spectrum } from '../dsp/spectrum.ts'
import { meanOf } from '../../numbers/mean.ts'

export type NoisySound = NoisyFiles & {
  /** How its stretches are treated, if the recording was analysed before; its voice gains are then in their file. */
  readonly known?: readonly TreatedStretch[] | undefined
  /** In samples. The noise of each clip is learnt separately. */
  readonly clipEnds: readonly number[]
}

export type Reduced = {
  readonly isChanged: boolean
  readonly treated: readonly TreatedStretch[]
}

/** Learns the noise of a file of samples while the file grows, and removes the noise afterwards. */
export class NoiseRemover {
  readonly #sound: NoisySound
  readonly #reader: PcmReader
  readonly #noise: NoiseListener
  /** Undefined if the voice gains are known. */
  readonly #voice: VoiceListener | undefined

  private constructor(sound: NoisySound, reader: PcmReader, voice: VoiceListener | undefined) {
    this.#sound = sound
    this.#reader = reader
    this.#noise = new NoiseListener(sound.clipEnds)
    this.#voice = voice
  }

  static async open(sound: NoisySound): Promise<NoiseRemover> {
    const { voiceGains, clipEnds, known } = sound
    const voice = known ? undefined : await VoiceListener.open(voiceGains, clipEnds)
    return new NoiseRemover(sound, await PcmReader.open(sound.sound), voice)
  }

  /** Reads on to the present end of the file. */
  async hearOn(signal: AbortSignal, onSamples: (samples: Float32Array) => void): Promise<void> {
    await this.#reader.readOn(signal, (samples) => {
      this.#noise.push(samples)
      this.#voice?.push(samples)
      onSamples(samples)
    })
  }

  /** Removes the noise once the whole file was heard. Calls `onSamples` with each cleaned piece. */
  async reduce(signal: AbortSignal, onSamples: (samples: Float32Array) => void): Promise<Reduced> {
    await this.#reader.close()
    const plan = (await this.#voice?.finish()) ?? knownPlan(this.#sound.known ?? [])
    const known = { profile: this.#noise.finish(), treatmentAt: plan.at }
    const isChanged = await reduceNoise(this.#sound, known, signal, onSamples)
    return { isChanged, treated: plan.treated() }
  }
}

/** This much of the noise stays, because total silence between words sounds as if the line were cut. */
const leastGain = 10 ** (-20 / 20)
/** The profile is a mean, and noise often exceeds its mean, so the profile is multiplied by this. */
const overestimate = 1.5
/** How much of the previous frame's signal-to-noise ratio is carried on. Without that, noise turns into chirping. */
const memory = 0.92
/** The network does not cover frequencies above 8 kHz: there, the mean of this many of its highest bins is used. */
const highestBins = 80

/** What was learnt of a recording before its noise is removed. */
type KnownNoise = {
  readonly profile: NoiseProfile
  readonly treatmentAt: (frame: number) => Treatment
}

/**
 * Removes a known noise from a stream of sound with a Wiener filter for each frequency, whose signal-to-noise ratio is
 * carried on from frame to frame (Ephraim and Malah, 1984). Its output is one hop late.
 */
class NoiseReducer {
  readonly #known: KnownNoise
  readonly #cutter = new FrameCutter()
  readonly #spectrum = new Spectrum()
  readonly #gains = new Float64Array(binCount)
  readonly #speechPower = new Float64Array(binCount)
  readonly #overlap = new Float32Array(frameSamples * channels)
  #frame = 0
  #isChanged = false

  constructor(known: KnownNoise) {
    this.#known = known
  }

  /** False as long as every frame was left as it is. */
  get isChanged(): boolean {
    return this.#isChanged
  }

  /** `voiceGains` are the gains of voice-gains.ts for the frames that these samples complete. */
  push(
    samples: Float32Array,
    voiceGains: Uint8Array,
    onSamples: (samples: Float32Array) => void,
  ): void {
    let voiceAt = 0
    this.#cutter.push(samples, (frame) => {
      this.#spectrum.analyse(frame)
      this.#chooseGains(this.#known.profile.powerAt(this.#frame))
      const treatment = this.#known.treatmentAt(this.#frame)
      this.#isChanged ||= treatment.strength > 0
      this.#believeVoice(voiceGains.subarray(voiceAt, voiceAt + voiceBins), treatment)
      voiceAt += voiceBins
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

  /** Mixes both gains by a geometric mean: if either is certain that only noise is there, little of the sound is left. */
  #believeVoice(voiceGains: Uint8Array, { strength, blend }: Treatment): void {
    if (strength === 1 && blend === 0) return
    const known = strength * (1 - blend)
    const highest = meanOf(voiceGains.subarray(-highestBins)) / 255
    for (let bin = 0; bin < binCount; bin++) {
      const voice = bin < voiceBins ? (voiceGains[bin] ?? 255) / 255 : highest
      const heard = Math.max(leastVoice, voice) ** (strength * blend)
      this.#gains[bin] = Math.max(leastGain, (this.#gains[bin] ?? 1) ** known * heard)
    }
  }
}

/** A voice gain counts as at least this much, because the network may be wrong when it hears no voice at all. */
const leastVoice = 0.03

const chunkFrames = 8_192

type NoisyFiles = { readonly sound: string; readonly voiceGains: string }

/** Cleans a file of samples in place, and calls `onSamples` with each cleaned piece. False if nothing changed. */
async function reduceNoise(
  files: NoisyFiles,
  known: KnownNoise,
  signal: AbortSignal,
  onSamples: (samples: Float32Array) => void,
): Promise<boolean> {
  await using handle = await open(files.sound, 'r+')
  await using voiceHandle = await open(files.voiceGains, 'r')
  const reducer = new NoiseReducer(known)
  // For as many frames as a chunk completes.
  const voiceGains = new Uint8Array((chunkFrames / hopSamples) * voiceBins)
  const bytes = Buffer.from(new ArrayBuffer(chunkFrames * bytesPerFrame))
  const cleaned = Buffer.from(new ArrayBuffer((chunkFrames + frameSamples) * bytesPerFrame))
  const { size } = await handle.stat()
  // The output is one hop late, so its first hop lies before the beginning of the file.
  let target = -hopSamples * bytesPerFrame
  for (let at = 0; target < size; at += bytes.length) {
    signal.throwIfAborted()
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, at)
    bytes.fill(0, bytesRead)
    const voice = await voiceHandle.read(voiceGains, 0, voiceGains.length, null)
    voiceGains.fill(255, voice.bytesRead)
    let length = 0
    reducer.push(samplesOf(bytes, bytes.length), voiceGains, (samples) => {
      cleaned.set(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength), length)
      length += samples.byteLength
    })
    const from = Math.max(0, -target)
    const to = Math.min(length, size - target)
    onSamples(samplesOf(cleaned.subarray(from, to), to - from))
    await handle.write(cleaned, from, to - from, target + from)
    target += length
  }
  return reducer.isChanged
}
