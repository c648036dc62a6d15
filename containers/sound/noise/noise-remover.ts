import { NoiseListener } from './learn-noise.ts'
import { PcmReader } from '../dsp/read-pcm.ts'
import { knownPlan, type TreatedStretch } from './noise-plan.ts'
import { reduceNoise, type NoisyFiles } from './reduce-noise.ts'
import { VoiceListener } from './voice-gains.ts'

export type NoisySound = NoisyFiles & {
  /** How its stretches are treated, if it was heard before; its voice gains are then in their file. */
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
  /** Undefined if the voice is known. */
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
