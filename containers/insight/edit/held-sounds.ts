import { setImmediate as nextTurn } from 'node:timers/promises'
import { blocksPerSecond } from '../../sound/level/block-meter.ts'
import { voiceFramesOf, isHeldVowel } from '../../sound/pauses/held-vowel.ts'
import type { BlockRun } from '../../sound/dsp/runs.ts'
import { speechRate, speechSamples } from '../../sound/speech-sound.ts'
import type { ReadSpeech } from '../../sound/music/tones.ts'
import { frameReach, voiceFrame, type VoiceFrame } from '../../sound/pauses/voice-frame.ts'
import type { Word } from '../../timeline/speech.ts'
import { sureWord } from './believed-word.ts'
import { wordsBetween } from './words-between.ts'
import { medianOf } from '../../numbers/mean.ts'

const samplesPerBlock = speechRate / blocksPerSecond
/** The words by which a voice is known are at most this far away, in seconds. */
const nearWords = 4
/** Every 40 ms of them tells a pitch. */
const pitchHop = 0.04 * speechRate
const leastPitches = 5
const leastPeriodicity = 0.8
/** In semitones around the middle of the voice: who hesitates speaks lower, and never sings. */
const ownRange = { below: 9, above: 5 }
/** “Uh-huh”, “mm-hm” and “uh-oh” are answers, in two parts this near to each other. */
const answerSeconds = 0.35

/** Which of these sounds are a vowel that is held, in the voice that speaks around it. */
export async function heldSounds(
  sounds: readonly BlockRun[],
  words: readonly Word[],
  read: ReadSpeech,
): Promise<BlockRun[]> {
  const held: BlockRun[] = []
  for (const sound of sounds) {
    const frames = await framesIn(sound, read)
    if (!isHeldVowel(frames)) continue
    if (await isOwnPitch(frames, wordsNear(words, sound), read)) held.push(sound)
  }
  return withoutAnswers(held)
}

/** Which of these sounds are said in the voice that speaks around them, not sung or hummed. */
export async function spokenSounds(
  sounds: readonly BlockRun[],
  words: readonly Word[],
  read: ReadSpeech,
): Promise<BlockRun[]> {
  const spoken: BlockRun[] = []
  for (const sound of sounds) {
    const frames = await framesIn(sound, read)
    if (await isOwnPitch(frames, wordsNear(words, sound), read)) spoken.push(sound)
  }
  return spoken
}

async function framesIn({ from, to }: BlockRun, read: ReadSpeech): Promise<VoiceFrame[]> {
  // Hours of sound may hesitate often, and the same thread answers health checks.
  await nextTurn()
  const samples = await read({
    from: from * samplesPerBlock - frameReach,
    to: to * samplesPerBlock + frameReach,
  })
  return voiceFramesOf(samples, frameReach, samples.length - frameReach)
}

/** False if the sound has no pitch, or the words around it have none. */
async function isOwnPitch(
  frames: readonly VoiceFrame[],
  words: readonly Word[],
  read: ReadSpeech,
): Promise<boolean> {
  const own = await pitchOfWords(words, read)
  const pitches = frames.filter(({ periodicity }) => periodicity >= leastPeriodicity)
  if (own === undefined || pitches.length === 0) return false
  const pitch = medianOf(pitches.map(({ hertz }) => hertz))
  return isInRange(12 * Math.log2(pitch / own))
}

const isInRange = (semitones: number): boolean =>
  semitones >= -ownRange.below && semitones <= ownRange.above

function wordsNear(words: readonly Word[], { from, to }: BlockRun): Word[] {
  const near = {
    from: from / blocksPerSecond - nearWords,
    to: to / blocksPerSecond + nearWords,
  }
  return wordsBetween(words, near).filter(({ confidence = 1 }) => confidence >= sureWord)
}

/** Undefined if too little of the words is voiced. */
async function pitchOfWords(words: readonly Word[], read: ReadSpeech): Promise<number | undefined> {
  const pitches: number[] = []
  for (const { startTime, endTime } of words) {
    const from = speechSamples(startTime)
    const to = speechSamples(endTime)
    const samples = await read({ from: from - frameReach, to: to + frameReach })
    for (let at = frameReach; at < samples.length - frameReach; at += pitchHop) {
      const { periodicity, hertz } = voiceFrame(samples, at)
      if (periodicity >= leastPeriodicity) pitches.push(hertz)
    }
  }
  return pitches.length < leastPitches ? undefined : medianOf(pitches)
}

function withoutAnswers(held: readonly BlockRun[]): BlockRun[] {
  const isNear = (a: BlockRun | undefined, b: BlockRun | undefined): boolean =>
    a !== undefined && b !== undefined && b.from - a.to < answerSeconds * blocksPerSecond
  return held.filter((sound, i) => !isNear(held[i - 1], sound) && !isNear(sound, held[i + 1]))
}
