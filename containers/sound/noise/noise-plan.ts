import { beatOf } from './onsets.ts'
import { stretchFrames } from './stretches.ts'
import { meanOf } from '../../numbers/mean.ts'

/** The measurements of about two seconds of sound. */
export type HeardStretch = {
  readonly clip: number
  frames: number
  voiceFrames: number
  /** The sum over the frames with a voice. */
  voicePower: number
  /** The mean amplitude, and the power, of each frame that is well away from any voice. */
  otherLevels: number[]
  otherPowers: number[]
  /** How much of the same frames consists of held tones: the sum of the shares. */
  heldTones: number
  /** The strength of what begins in each frame. */
  onsets: number[]
}

export type Treatment = {
  /** 0 leaves the sound as it is, 1 removes all noise. */
  readonly strength: number
  /** How much the result follows the voice network rather than the noise profile. */
  readonly blend: number
}

/** The treatment is decided from some 17 seconds on either side, so that it changes slowly. */
const reach = 8
/** Fewer frames than this prove nothing, whether with a voice or without. */
const leastFrames = 12
const leastVoiceShare = 0.02
/** The share of held tones from which on sound is music: noises stay below 0.11, instruments above 0.2. */
const musicTones = 0.15
/** The strength of a beat that means music. A short clip needs more, because there a beat appears by chance. */
const musicBeat = { least: 0.1, chance: 2.6 } as const
/** Music 15 dB below a voice is meant to be heard, and some of it is measured as softer than that: see decision 025. */
const musicRangeDb = 22
/** Noise is steady if its median level is at most this many times its quietest. */
const steady = 1.25
/** The loudest frames "without a voice" often contain one that the network missed, so only this share is believed. */
const believedShare = 0.92
/**
 * How far the voice is above the noise. Up to `all`, all noise is removed. With less noise, as much is removed as brings
 * it to about 40 dB below the voice. From `none` on the recording is clean, and stays as it is.
 */
const noiseDb = { all: 22, none: 40 } as const
/** The smallest share of noise that remains after its steady part was removed, and how much steady noise wavers. */
const known = { left: 0.5, wavering: 1.25 } as const
/**
 * How far the remaining noise is below the voice. The network harms a clean voice, so from `none` on it is not used; up
 * to `most` it is used as much as possible.
 */
const leftDb = { most: 15, none: 35 } as const
const mostBlend = 0.7
/** A long clip is judged by at most this many of its stretches, evenly spread. */
const mostStretches = 60

/** How every frame of a recording is treated, and how each of its stretches is. */
export type NoisePlan = {
  readonly at: (frame: number) => Treatment
  readonly treated: () => TreatedStretch[]
}

export type TreatedStretch = Treatment & { readonly clip: number; readonly frames: number }
type StretchFrames = Pick<TreatedStretch, 'clip' | 'frames'>

/**
 * Decides the treatment of each stretch from what was measured around it in the same clip. The treatment changes
 * gradually from one stretch to the next.
 */
export function planNoise(heard: readonly HeardStretch[]): NoisePlan {
  return planWith(heard, treatments(heard))
}

/** The same for a recording whose stretches were decided before. */
export function knownPlan(treated: readonly TreatedStretch[]): NoisePlan {
  return planWith(treated, (at) => treated[at] ?? untouched)
}

function planWith(
  stretches: readonly StretchFrames[],
  treatmentOf: (at: number) => Treatment,
): NoisePlan {
  const starts = startsOf(stretches)
  let at = 0
  return {
    at(frame) {
      while (frame >= (starts[at + 1] ?? Infinity)) at += 1
      while (at > 0 && frame < (starts[at] ?? 0)) at -= 1
      const position = (frame - (starts[at] ?? 0)) / stretchFrames
      // It changes from the middle of one stretch to the middle of the next, but never across a joint of two clips.
      const other = position < 0.5 ? at - 1 : at + 1
      const here = treatmentOf(at)
      const beside = stretches[other]
      if (!beside || beside.clip !== stretches[at]?.clip) return here
      const there = treatmentOf(other)
      const share = Math.min(0.5, Math.abs(position - 0.5))
      return {
        strength: here.strength + (there.strength - here.strength) * share,
        blend: here.blend + (there.blend - here.blend) * share,
      }
    },
    treated: () =>
      stretches.map(({ clip, frames }, i) => {
        const { strength, blend } = treatmentOf(i)
        return { clip, frames, strength, blend }
      }),
  }
}

/** Computes each treatment when it is first needed. Computing all of them at once would block the thread. */
function treatments(heard: readonly HeardStretch[]): (at: number) => Treatment {
  const clips = new Map<number, Pool>()
  const found: Treatment[] = []
  return (at) => {
    const clip = heard[at]?.clip ?? 0
    const whole = clips.get(clip) ?? poolOf(spread(heard.filter((other) => other.clip === clip)))
    clips.set(clip, whole)
    const near = heard.slice(Math.max(0, at - reach), at + reach + 1)
    const pool = poolOf(near.filter((stretch) => stretch.clip === clip))
    return (found[at] ??= treat(pool, whole))
  }
}

function spread(stretches: readonly HeardStretch[]): HeardStretch[] {
  const step = Math.max(1, Math.ceil(stretches.length / mostStretches))
  return stretches.filter((_, i) => i % step === 0)
}

function startsOf(stretches: readonly StretchFrames[]): number[] {
  let frames = 0
  return stretches.map((stretch) => {
    const start = frames
    frames += stretch.frames
    return start
  })
}

type Pool = {
  readonly hasVoice: boolean
  readonly voicePower: number
  /** The mean power of the frames without a voice. */
  readonly otherPower: number
  readonly middle: number
  readonly quiet: number
  readonly tones: number
  readonly otherFrames: number
  readonly onsets: Float32Array
}

function poolOf(stretches: readonly HeardStretch[]): Pool {
  const sum = (of: (stretch: HeardStretch) => number): number =>
    stretches.reduce((total, stretch) => total + of(stretch), 0)
  const levels = Float32Array.from(stretches.flatMap(({ otherLevels }) => otherLevels)).sort()
  const powers = Float32Array.from(stretches.flatMap(({ otherPowers }) => otherPowers)).sort()
  const believed = powers.subarray(0, Math.ceil(powers.length * believedShare))
  const voiceFrames = sum(({ voiceFrames: frames }) => frames)
  return {
    hasVoice:
      voiceFrames >= leastFrames && voiceFrames >= leastVoiceShare * sum(({ frames }) => frames),
    voicePower: voiceFrames > 0 ? sum(({ voicePower }) => voicePower) / voiceFrames : 0,
    otherPower: meanOf(believed),
    middle: levels[Math.floor(levels.length / 2)] ?? 0,
    quiet: levels[Math.floor(levels.length / 10)] ?? 0,
    tones: sum(({ heldTones }) => heldTones) / Math.max(1, levels.length),
    otherFrames: levels.length,
    onsets: Float32Array.from(stretches.flatMap(({ onsets }) => onsets)),
  }
}

function treat(near: Pool, clip: Pool): Treatment {
  const voice = near.hasVoice ? near.voicePower : clip.voicePower
  const other = [near, clip].find(({ otherFrames }) => otherFrames >= leastFrames)
  // Somebody speaks all the time, so even the softest sound may be a voice.
  if (!other) return untouched
  const isSteady = other.middle <= other.quiet * steady
  // Without a voice to bring out, only what is certainly noise is removed.
  if (!clip.hasVoice) return isSteady ? { strength: 1, blend: 0 } : untouched
  const ratioDb = decibels(voice / other.otherPower)
  const isTune = other.tones >= musicTones && !isSteady && ratioDb <= musicRangeDb
  if (isTune || hasBeat(near)) return untouched
  const left = Math.max(known.left, 1 - (other.quiet * known.wavering) / other.middle)
  const share = (leftDb.none - ratioDb + 2 * decibels(left)) / (leftDb.none - leftDb.most)
  return { strength: strengthAt(ratioDb), blend: mostBlend * Math.min(1, Math.max(0, share)) }
}

const untouched: Treatment = { strength: 0, blend: 0 }

function hasBeat({ onsets }: Pool): boolean {
  const { least, chance } = musicBeat
  return beatOf(onsets) >= Math.max(least, chance / Math.sqrt(onsets.length))
}

function strengthAt(ratioDb: number): number {
  const share = (noiseDb.none - ratioDb) / (noiseDb.none - noiseDb.all)
  return Math.min(1, Math.max(0, share))
}

function decibels(power: number): number {
  return 10 * Math.log10(power)
}
