import { rm } from 'node:fs/promises'
import { NoiseListener } from './noise-profile.ts'
import { PcmReader } from './read-pcm.ts'
import { reduceNoise, type NoisyFiles } from './reduce-noise.ts'
import { VoiceListener } from './voice-gains.ts'

export type NoisySound = NoisyFiles & {
  /** In samples: noise is known for each clip apart. */
  readonly clipEnds: readonly number[]
}

/** Hears what noise there is in a file of samples, while it grows, and takes it out afterwards. */
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

  /** To the present end of the file. */
  async hearOn(signal: AbortSignal, onSamples: (samples: Float32Array) => void): Promise<void> {
    await this.#reader.readOn(signal, (samples) => {
      this.#noise.push(samples)
      this.#voice.push(samples)
      onSamples(samples)
    })
  }

  /** All was heard. Shows every cleaned piece to `onSamples`. False if it changed nothing. */
  async reduce(signal: AbortSignal, onSamples: (samples: Float32Array) => void): Promise<boolean> {
    await this.#reader.close()
    const known = { profile: this.#noise.finish(), treatmentAt: await this.#voice.finish() }
    const isChanged = await reduceNoise(this.#sound, known, signal, onSamples)
    await rm(this.#sound.voiceGains)
    return isChanged
  }
}
