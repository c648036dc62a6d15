import { rm } from 'node:fs/promises'
import { NoiseListener } from './learn-noise.ts'
import { PcmReader } from '../dsp/read-pcm.ts'
import { reduceNoise, type NoisyFiles } from './reduce-noise.ts'
import { VoiceListener } from './voice-gains.ts'

export type NoisySound = NoisyFiles & {
  /** In samples. The noise of each clip is learnt separately. */
  readonly clipEnds: readonly number[]
}

/** Learns the noise of a file of samples while the file grows, and removes the noise afterwards. */
export class NoiseRemover {
  readonly #sound: NoisySound
  readonly #reader: PcmReader
  readonly #noise: NoiseListener
  readonly #voice: VoiceListener

  private constructor(sound: NoisySound, reader: PcmReader, voice: VoiceListener) {
    this.#sound = sound
    this.#reader = reader
    this.#noise = new NoiseListener(sound.clipEnds)
    this.#voice = voice
  }

  static async open(sound: NoisySound): Promise<NoiseRemover> {
    const voice = await VoiceListener.open(sound.voiceGains, sound.clipEnds)
    return new NoiseRemover(sound, await PcmReader.open(sound.sound), voice)
  }

  /** Reads on to the present end of the file. */
  async hearOn(signal: AbortSignal, onSamples: (samples: Float32Array) => void): Promise<void> {
    await this.#reader.readOn(signal, (samples) => {
      this.#noise.push(samples)
      this.#voice.push(samples)
      onSamples(samples)
    })
  }

  /** Removes the noise once the whole file was heard. Calls `onSamples` with each cleaned piece; false if nothing changed. */
  async reduce(signal: AbortSignal, onSamples: (samples: Float32Array) => void): Promise<boolean> {
    await this.#reader.close()
    const known = { profile: this.#noise.finish(), treatmentAt: await this.#voice.finish() }
    const isChanged = await reduceNoise(this.#sound, known, signal, onSamples)
    await rm(this.#sound.voiceGains)
    return isChanged
  }
}
