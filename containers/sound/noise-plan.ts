import { beatOf } from './beat.ts'
import { stretchFrames } from './stretches.ts'

/** What was heard in about two seconds. */
export type HeardStretch = {
  readonly clip: number
  frames: number
  voiceFrames: number
  /** Added up over the frames with a voice. */
  voicePower: number
  /** Of the frames well away from any voice: mean amplitudes, and powers. */
  otherLevels: number[]
  otherPowers: number[]
  /** Of the same frames, added up: how much of them is tones that are held. */
  heldTones: number
  /** Of every frame: how much begins in it. */
  onsets: number[]
}

export type Treatment = {
  /** 0 leaves the sound as it is, 1 takes all noise out. */
  readonly strength: number
  /** How far the voice network is believed instead of what is known of the noise. */
  readonly blend: number
}

/** Some 17 seconds on either side decide together, so that a treatment changes slowly. */
const reach = 8
/** Fewer frames than this without a voice say nothing. */
const leastFrames = 12
const leastVoiceShare = 0.02
/** Noises stay below 0.11, instruments above 0.2. */
const musicTones = 0.15
/** Of a beat; in a short clip there is more of it by chance. */
const musicBeat = { least: 0.1, chance: 2.6 } as const
/** Music 15 dB under a voice is meant to be heard. */
const musicRangeDb = 22
/** Noise whose middle level is this near its quietest is steady. */
const steady = 1.25
/** The loudest frames without a voice are often of one that the network missed. */
const believedShare = 0.92
/**
 * Of the voice over the noise. So much noise is all taken out; of less only what brings it to about 40 dB under the voice;
 * and where it is there already, the recording is clean and stays as it is.
 */
const noiseDb = { all: 22, none: 40 } as const
/** What taking out steady noise leaves of its level at least, and how much of it wavers. */
const known = { left: 0.5, wavering: 1.25 } as const
/** The network harms a clean voice: nothing of it where what is left of the noise is this far under it. */
const leftDb = { most: 15, none: 35 } as const
const mostBlend = 0.7
/** A long clip is judged by this many stretches, evenly spread. */
const mostStretches = 60

/** Decides for each stretch from what is around it in the same clip. Between two stretches it goes over slowly. */
export function planNoise(heard: readonly HeardStretch[]): (frame: number) => Treatment {
  const treatmentOf = treatments(heard)
  const starts = startsOf(heard)
  let at = 0
  return (frame) => {
    while (frame >= (starts[at + 1] ?? Infinity)) at += 1
    while (at > 0 && frame < (starts[at] ?? 0)) at -= 1
    const position = (frame - (starts[at] ?? 0)) / stretchFrames
    // From the middle of one stretch to the middle of the next, but never across a joint.
    const other = position < 0.5 ? at - 1 : at + 1
    const here = treatmentOf(at)
    if (heard[other] === undefined || heard[other].clip !== heard[at]?.clip) return here
    const there = treatmentOf(other)
    const share = Math.min(0.5, Math.abs(position - 0.5))
    return {
      strength: here.strength + (there.strength - here.strength) * share,
      blend: here.blend + (there.blend - here.blend) * share,
    }
  }
}

/** Each is found when it is asked for: all at once would keep everybody waiting. */
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

function startsOf(heard: readonly HeardStretch[]): number[] {
  let frames = 0
  return heard.map((stretch) => {
    const start = frames
    frames += stretch.frames
    return start
  })
}

type Pool = {
  readonly hasVoice: boolean
  readonly voicePower: number
  /** Of what is heard while nobody speaks. */
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
    otherPower: believed.reduce((total, power) => total + power, 0) / Math.max(1, believed.length),
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
  // Somebody speaks all the time: what is softest then may be a voice.
  if (!other) return untouched
  const isSteady = other.middle <= other.quiet * steady
  // What is no noise for certain stays where there is no voice to bring out.
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
