import { blocksPerSecond } from '../level/block-meter.ts'
import { speechRate } from '../speech-sound.ts'
import { voiceFrame, type VoiceFrame } from './voice-frame.ts'
import { meanOf } from '../../numbers/mean.ts'

const hop = speechRate / blocksPerSecond

/** The frames of every 10 ms between two samples. */
export function voiceFramesOf(samples: Float32Array, from: number, to: number): VoiceFrame[] {
  const frames: VoiceFrame[] = []
  for (let at = from + hop / 2; at < to; at += hop) frames.push(voiceFrame(samples, Math.round(at)))
  return frames
}

/** In frames: a voice needs this long to set in and to fade. */
const fringe = 4
/** In frames: a shorter part is not held. */
const leastPart = 8
const leastPeriodicity = 0.8
const leastVoiced = 0.9
/** In semitones: a hesitating voice falls a little. A tone that does not move at all comes from an instrument. */
const pitchRange = { least: 0.1, most: 4 }
/** How far the frames of a part may be from their mean, in decibels. */
const mostUnrest = 2.8
/** Two parts that differ by less than this are one sound. */
const sameSound = 4.5

/**
 * Whether these frames, from one pause to the next, are only a vowel as in “uh”, held at one pitch and perhaps closed by an
 * “m”. Words change their sound, and most have consonants.
 */
export function isHeldVowel(frames: readonly VoiceFrame[]): boolean {
  const core = frames.slice(fringe, -fringe)
  if (core.length < leastPart || !isVoiced(core) || !isLevel(core)) return false
  const { first, second, unrest } = partedBest(core)
  if (unrest > mostUnrest || first.length < leastPart) return false
  const [vowel, end] = [meanShape(first), meanShape(second)]
  return isNeutral(vowel) && (distance(vowel, end) < sameSound || isClosed(end))
}

function isVoiced(frames: readonly VoiceFrame[]): boolean {
  const voiced = frames.filter(({ periodicity }) => periodicity >= leastPeriodicity)
  return voiced.length >= leastVoiced * frames.length
}

function isLevel(frames: readonly VoiceFrame[]): boolean {
  const semitones = frames
    .filter(({ periodicity }) => periodicity >= leastPeriodicity)
    .map(({ hertz }) => 12 * Math.log2(hertz))
    .sort((a, b) => a - b)
  const at = (share: number): number => semitones[Math.floor(share * (semitones.length - 1))] ?? 0
  const range = at(0.95) - at(0.05)
  return range >= pitchRange.least && range <= pitchRange.most
}

type VowelParts = {
  readonly first: readonly VoiceFrame[]
  readonly second: readonly VoiceFrame[]
  readonly unrest: number
}

/** Parts the frames where both parts are steadiest in themselves. */
function partedBest(frames: readonly VoiceFrame[]): VowelParts {
  let best: VowelParts = { first: frames, second: frames, unrest: Infinity }
  const least = leastPart / 2
  for (let at = least; at <= frames.length - least; at++) {
    const [first, second] = [frames.slice(0, at), frames.slice(at)]
    const unrest = (unrestOf(first) + unrestOf(second)) / frames.length
    if (unrest < best.unrest) best = { first, second, unrest }
  }
  // A steady vowel can be parted anywhere; both parts count as the vowel then.
  const isOne = distance(meanShape(best.first), meanShape(best.second)) < sameSound
  return isOne ? { ...best, first: frames } : best
}

function unrestOf(frames: readonly VoiceFrame[]): number {
  const mean = meanShape(frames)
  return frames.reduce((sum, { shape }) => sum + distance(shape, mean), 0)
}

function meanShape(frames: readonly VoiceFrame[]): number[] {
  const length = frames[0]?.shape.length ?? 0
  return Array.from({ length }, (_, band) => meanOf(frames.map(({ shape }) => shape[band] ?? 0)))
}

function distance(a: readonly number[], b: readonly number[]): number {
  const squares = a.reduce((sum, level, band) => sum + (level - (b[band] ?? 0)) ** 2, 0)
  return Math.sqrt(squares / Math.max(1, a.length))
}

const highest = (shape: readonly number[], from: number, to: number): number =>
  Math.max(...shape.slice(from, to))

/** The mouth is half open and the tongue at rest: the second resonance is in the middle, neither weak (“o”) nor high (“e”). */
function isNeutral(shape: readonly number[]): boolean {
  const [first, second, front] = [highest(shape, 1, 4), highest(shape, 4, 7), highest(shape, 7, 9)]
  const pitch = shape[0] ?? 0
  return second >= first - 16 && second >= front - 3 && first >= pitch - 18
}

/** The mouth is closed: hardly anything is left above the pitch. */
function isClosed(shape: readonly number[]): boolean {
  return (shape[0] ?? 0) - highest(shape, 2, shape.length) >= 18
}
