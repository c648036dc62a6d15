import { type WriteStream, createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { firstBin, lastBin, Onsets } from './onsets.ts'
import { Fourier } from '../dsp/fourier.ts'
import { type HeardStretch, type NoisePlan, planNoise } from './noise-plan.ts'
import { channels, workedRate } from '../dsp/pcm.ts'
import { FrameCutter, frameSamples, window } from '../dsp/spectrum.ts'
import { Stretches } from './stretches.ts'
import { VoiceNetwork, voiceDelay } from './voice-network.ts'

/** The network does not cover frequencies above 8 kHz. Each bin of each frame takes one byte of the file: 58 MB an hour. */
export const voiceBins = Math.round((8_000 * frameSamples) / workedRate)
/** The name of that file in the job folder. */
export const voicePath = 'voice-gains.u8'
const firstLevelBin = Math.round((150 * frameSamples) / workedRate)

/** The channels count unequally, so that sound with opposite phase in them does not cancel out. */
const [leftShare, rightShare] = [0.6, 0.4]
/** A frame is voice if the network keeps at least `voiceShare` of its level, and certainly not if it keeps less than `otherShare`. */
const [voiceShare, otherShare] = [0.45, 0.4]
/** This many frames on both sides of a voice do not count as noise, because they may hold a breath or the end of a word. */
const besideVoice = 2
/** In its first frames the network does not recognise voices yet. */
const wakingFrames = 12

/**
 * Runs the voice network over a whole recording. It writes how much of each frequency is voice into a file, frame by frame
 * in the order in which noise-remover.ts reads it, and decides at the end how each stretch is treated.
 */
export class VoiceListener {
  readonly #network: VoiceNetwork
  readonly #file: WriteStream
  readonly #written: Promise<void>
  readonly #stretches: Stretches
  readonly #heard: HeardStretch[] = []
  readonly #cutter = new FrameCutter()
  readonly #waiting: number[] = []
  readonly #spectra = new Spectra()
  readonly #tones = new HeldTones()
  readonly #onsets = new Onsets()
  #early = voiceDelay
  #frame = 0
  #sinceVoice = besideVoice
  /** Frames without a voice that may still turn out to be just before one. */
  readonly #doubtful: OtherFrame[] = []
  #stretch = emptyStretch()

  private constructor(network: VoiceNetwork, file: string, clipEnds: readonly number[]) {
    this.#network = network
    this.#file = createWriteStream(file)
    this.#written = finished(this.#file)
    // finish() reports an error. If the work ends before that, nobody needs it.
    this.#written.catch(() => undefined)
    this.#stretches = new Stretches(clipEnds)
  }

  static async open(file: string, clipEnds: readonly number[]): Promise<VoiceListener> {
    return new VoiceListener(await VoiceNetwork.load(), file, clipEnds)
  }

  push(interleaved: Float32Array): void {
    for (let i = 0; i < interleaved.length; i += channels) {
      this.#hear((interleaved[i] ?? 0) * leftShare + (interleaved[i + 1] ?? 0) * rightShare)
    }
  }

  async finish(): Promise<NoisePlan> {
    for (let i = 0; i < voiceDelay + frameSamples; i++) this.#hear(0)
    this.#endStretch()
    this.#file.end()
    await this.#written
    return planNoise(this.#heard)
  }

  close(): void {
    this.#file.destroy()
  }

  #hear(sample: number): void {
    this.#waiting.push(sample)
    this.#network.push(sample, this.#pair)
  }

  /** Pairs each sample of the network's output with the sample that it was made from. */
  readonly #pair = (voice: Float32Array): void => {
    const skipped = Math.min(this.#early, voice.length)
    this.#early -= skipped
    const pairs = new Float32Array((voice.length - skipped) * 2)
    for (let i = 0; i < pairs.length; i += 2) {
      pairs[i] = this.#waiting[i / 2] ?? 0
      pairs[i + 1] = voice[skipped + i / 2] ?? 0
    }
    this.#waiting.splice(0, pairs.length / 2)
    this.#cutter.push(pairs, this.#judge)
  }

  readonly #judge = (frame: Float32Array): void => {
    this.#stretches.next(() => this.#endStretch())
    const { levels, gains, power } = this.#spectra.compare(frame)
    this.#frame += 1
    this.#stretch.onsets.push(this.#onsets.strengthOf(power))
    this.#count(levels, this.#tones.shareOf(power))
    this.#file.write(Buffer.from(gains))
  }

  #count({ level, voiceLevel, power }: FrameLevels, tones: number): void {
    const share = level > 0 ? voiceLevel / level : 0
    this.#stretch.frames += 1
    this.#sinceVoice += 1
    if (share >= voiceShare) {
      this.#stretch.voiceFrames += 1
      this.#stretch.voicePower += power
      this.#sinceVoice = 0
      this.#doubtful.length = 0
      return
    }
    if (share >= otherShare || level <= 1e-5 || this.#sinceVoice <= besideVoice) return
    if (this.#frame > wakingFrames) this.#doubtful.push({ level, power, tones })
    if (this.#doubtful.length <= besideVoice) return
    const [certain] = this.#doubtful.splice(0, 1)
    if (!certain) return
    this.#stretch.otherLevels.push(certain.level)
    this.#stretch.otherPowers.push(certain.power)
    this.#stretch.heldTones += certain.tones
  }

  #endStretch(): void {
    this.#heard.push({ ...this.#stretch, clip: this.#stretches.clip })
    this.#stretch = emptyStretch()
    this.#doubtful.length = 0
  }
}

type OtherFrame = { readonly level: number; readonly power: number; readonly tones: number }

function emptyStretch(): Omit<HeardStretch, 'clip'> {
  return {
    ...{ frames: 0, voiceFrames: 0, voicePower: 0 },
    ...{ otherLevels: [], otherPowers: [], heldTones: 0, onsets: [] },
  }
}

/** One frame: the mean amplitude of the sound, that of the part which the network keeps, and the power of the sound. */
type FrameLevels = { level: number; voiceLevel: number; power: number }

/** Transforms the sound and its voice at once, as the real and imaginary part of one transform. */
class Spectra {
  readonly #fourier = new Fourier(frameSamples)
  readonly #real = new Float64Array(frameSamples)
  readonly #imaginary = new Float64Array(frameSamples)
  readonly #power = new Float64Array(voiceBins)
  readonly #gains = new Uint8Array(voiceBins)

  compare(pairs: Float32Array) {
    for (let i = 0; i < frameSamples; i++) {
      const weight = window[i] ?? 0
      this.#real[i] = (pairs[2 * i] ?? 0) * weight
      this.#imaginary[i] = (pairs[2 * i + 1] ?? 0) * weight
    }
    this.#fourier.forward(this.#real, this.#imaginary)
    const levels = { level: 0, voiceLevel: 0, power: 0 }
    for (let bin = 0; bin < voiceBins; bin++) {
      const { all, voice, common } = this.#powersAt(bin)
      this.#power[bin] = all
      // The real gain that brings the sound nearest to the voice.
      const gain = all > 1e-12 ? Math.min(1, Math.max(0, common / all)) : 1
      this.#gains[bin] = Math.round(gain * 255)
      if (bin < firstLevelBin) continue
      levels.level += Math.sqrt(all) / (voiceBins - firstLevelBin)
      levels.voiceLevel += Math.sqrt(voice) / (voiceBins - firstLevelBin)
      levels.power += all
    }
    return { levels, gains: this.#gains, power: this.#power }
  }

  #powersAt(bin: number): { all: number; voice: number; common: number } {
    const mirror = (frameSamples - bin) % frameSamples
    const [re, im] = [this.#real[bin] ?? 0, this.#imaginary[bin] ?? 0]
    const [mirrorRe, mirrorIm] = [this.#real[mirror] ?? 0, this.#imaginary[mirror] ?? 0]
    const allRe = (re + mirrorRe) / 2
    const allIm = (im - mirrorIm) / 2
    const voiceRe = (im + mirrorIm) / 2
    const voiceIm = (mirrorRe - re) / 2
    return {
      all: allRe ** 2 + allIm ** 2,
      voice: voiceRe ** 2 + voiceIm ** 2,
      common: allRe * voiceRe + allIm * voiceIm,
    }
  }
}

/** 130 ms at one pitch: voices glide, noise does not hold a peak that long, notes do. */
const heldFrames = 6

/** Tells for each frame how much of it, by amplitude, is tones that have been held for a while, as in music. */
class HeldTones {
  readonly #ages = new Uint16Array(lastBin + 1)

  shareOf(power: Float64Array): number {
    let whole = 0
    let held = 0
    const amplitude = (bin: number): number => Math.sqrt(power[bin] ?? 0)
    for (let bin = firstBin; bin < lastBin; bin++) {
      whole += amplitude(bin)
      this.#ages[bin] = isPeak(power, bin) ? Math.min(1_000, (this.#ages[bin] ?? 0) + 1) : 0
      if ((this.#ages[bin] ?? 0) < heldFrames) continue
      held += amplitude(bin - 1) + amplitude(bin) + amplitude(bin + 1)
    }
    return whole > 0 ? held / whole : 0
  }
}

function isPeak(power: Float64Array, bin: number): boolean {
  const here = power[bin] ?? 0
  const around = Math.min(power[bin - 2] ?? 0, power[bin + 2] ?? 0)
  return here > (power[bin - 1] ?? 0) && here >= (power[bin + 1] ?? 0) && here > 4 * around
}
