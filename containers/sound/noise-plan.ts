import { stretchFrames } from './stretches.ts'

/** What was heard in about two seconds. Levels are mean amplitudes. */
export type HeardStretch = {
  readonly clip: number
  frames: number
  voiceFrames: number
  /** Added up over the frames with a voice. */
  voiceLevel: number
  /** Of the frames without a voice. */
  otherLevels: number[]
  /** Of the same frames, added up: how much of them is tones that are held. */
  heldTones: number
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
/** Music 15 dB under a voice is meant to be heard; its level is lower here, for its power is in fewer tones. */
const musicRange = 10 ** (-22 / 20)
/** Noise whose middle level is this near its quietest is steady. */
const steady = 1.25
/** What is left of noise that is known, and how much of its level is not known. */
const known = { left: 0.1, wavering: 1.25 } as const
/** The network harms a clean voice: nothing of it where this is left of the noise, against the voice, most of it here. */
const leftDb = { none: -38, most: -22 } as const
const mostBlend = 0.7

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
    const whole = clips.get(clip) ?? poolOf(heard.filter((stretch) => stretch.clip === clip))
    clips.set(clip, whole)
    const near = heard.slice(Math.max(0, at - reach), at + reach + 1)
    return (found[at] ??= treat(poolOf(near.filter((stretch) => stretch.clip === clip)), whole))
  }
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
  readonly voiceLevel: number
  /** Of what is heard while nobody speaks. */
  readonly middle: number
  readonly quiet: number
  readonly tones: number
  readonly otherFrames: number
}

function poolOf(stretches: readonly HeardStretch[]): Pool {
  const sum = (of: (stretch: HeardStretch) => number): number =>
    stretches.reduce((total, stretch) => total + of(stretch), 0)
  const levels = Float32Array.from(stretches.flatMap(({ otherLevels }) => otherLevels)).sort()
  const voiceFrames = sum(({ voiceFrames: frames }) => frames)
  return {
    hasVoice:
      voiceFrames >= leastFrames && voiceFrames >= leastVoiceShare * sum(({ frames }) => frames),
    voiceLevel: voiceFrames > 0 ? sum(({ voiceLevel }) => voiceLevel) / voiceFrames : 0,
    middle: levels[Math.floor(levels.length / 2)] ?? 0,
    quiet: levels[Math.floor(levels.length / 10)] ?? 0,
    tones: sum(({ heldTones }) => heldTones) / Math.max(1, levels.length),
    otherFrames: levels.length,
  }
}

function treat(near: Pool, clip: Pool): Treatment {
  const { middle, quiet, tones } = near.otherFrames >= leastFrames ? near : clip
  const isSteady = middle <= quiet * steady
  // What is no noise for certain stays where there is no voice to bring out.
  if (!clip.hasVoice) return { strength: isSteady ? 1 : 0, blend: 0 }
  const voice = near.hasVoice ? near.voiceLevel : clip.voiceLevel
  const isMusic = tones >= musicTones && !isSteady && middle >= voice * musicRange
  if (isMusic) return { strength: 0, blend: 0 }
  const left = Math.max(middle * known.left, middle - quiet * known.wavering)
  const db = 20 * Math.log10(Math.max(1e-6, left / voice))
  const share = (db - leftDb.none) / (leftDb.most - leftDb.none)
  return { strength: 1, blend: mostBlend * Math.min(1, Math.max(0, share)) }
}
