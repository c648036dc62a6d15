import path from 'node:path'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import type { DecodedSound } from '../../sound/prepare-sound.ts'
import { withSpeechSamples } from '../../sound/read-speech.ts'
import type { Speech, Word } from '../../timeline/speech.ts'
import type { Providers } from '../choose-providers.ts'
import { type SpokenSources, recordSpeechSound } from '../record-speech-sound.ts'
import { fillersAlone, unexplainedSounds, type FillerSounds } from './unexplained-sounds.ts'
import { blocksPerSecond } from '../../sound/level/block-meter.ts'
import type { BlockRun } from '../../sound/dsp/runs.ts'
import { speechRate, type SpeechSound, speechSamples } from '../../sound/speech-sound.ts'
import type { VoiceDetector } from '../../sound/pauses/voice-activity.ts'
import { formatFor, type SpeechProvider } from '../../speech/speech-provider.ts'
import { silenceBetween, type HeardSpan } from '../carry/choose-heard.ts'
import { keepHeard } from '../keep-heard.ts'
import { beliefIn, sureWord } from './believed-word.ts'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { voiceFramesOf, isHeldVowel } from '../../sound/pauses/held-vowel.ts'
import type { ReadSpeech } from '../../sound/music/tones.ts'
import { frameReach, voiceFrame, type VoiceFrame } from '../../sound/pauses/voice-frame.ts'
import { wordsBetween } from './words-between.ts'
import { medianOf } from '../../numbers/mean.ts'

export type FillerSources = SpokenSources & {
  /** Not cut yet. */
  readonly sound: DecodedSound
  readonly speech: Speech
}

/**
 * Finds fillers by their sound. Those that the recogniser did not write are a vowel held between two pauses, in the voice of
 * the person speaking there, in which no word is recognised. Those that it wrote must also be heard between two pauses, because
 * its times are not exact enough to cut a filler out of continuous speech. Only in English and with the recogniser of this
 * machine: others write fillers and their times, or asking them again would cost money.
 */
export async function hearFillers(
  tools: ToolContext,
  sources: FillerSources,
  { speech: provider, voices }: Pick<Providers, 'speech' | 'voices'>,
): Promise<FillerSounds> {
  const { sound, speech } = sources
  const { speech: recorded, blocks } = sound
  if (provider.name !== 'local' || speech.language !== 'en' || !recorded) return { unwritten: [] }
  const words = speech.segments.flatMap((segment) => segment.words ?? [])
  const loudness = blocks.loudness.subarray(0, blocks.count)
  const alone = await fillersAlone(loudness, words)
  const sounds = await unexplainedSounds(loudness, words)
  const file = path.join(tools.folder, recorded.path)
  const { written, held } = await withSpeechSamples(file, async (read) => ({
    written: await spokenSounds(alone, words, read),
    held: withoutAnswers(await spokenSounds(sounds, words, read, isHeldVowel)),
  }))
  if (held.length === 0) return { unwritten: [], written }
  const voiced = await voicedSounds(tools, { sounds: held, speech: recorded }, voices)
  if (voiced.length === 0) return { unwritten: [], written }
  const request = { sounds: voiced, sources }
  return { unwritten: await wordlessSounds(tools, request, provider), written }
}

/** In seconds. The recogniser gets the sound and half of the pause around it, without any other word. */
const edge = 0.05
/** Seconds before the sound that the detector needs to hear. */
const before = 0.8
/** The detector sometimes takes hums and instruments for a voice, but not with certainty. */
const leastVoice = 0.5
/** Without its neighbours, the recogniser is less certain of a real word. */
const sureAlone = 0.35

/** The sounds that the detector takes for a voice. */
async function voicedSounds(
  { folder, signal }: ToolContext,
  { sounds, speech }: { readonly sounds: readonly BlockRun[]; readonly speech: SpeechSound },
  voices: VoiceDetector,
): Promise<BlockRun[]> {
  const excerpts = excerptsOf(sounds, before, 0)
  const file = await keepHeard(folder, speech, excerpts, signal)
  const listening = voices.listen(path.join(folder, file), signal)
  try {
    const { probabilities, blockSamples } = await listening.finish()
    const blockAt = (seconds: number): number => Math.round((seconds * speechRate) / blockSamples)
    return sounds.filter((sound, i) => {
      const { at = 0, from = 0 } = excerpts[i] ?? {}
      const start = at - from
      const heard = probabilities.subarray(
        blockAt(start + sound.from / blocksPerSecond),
        blockAt(start + sound.to / blocksPerSecond),
      )
      return heard.reduce((sum, voice) => sum + voice, 0) >= leastVoice * heard.length
    })
  } finally {
    await listening.stop()
  }
}

/** The sounds in which the recogniser finds no word even when it is given each by itself. */
async function wordlessSounds(
  tools: ToolContext,
  { sounds, sources }: { readonly sounds: readonly BlockRun[]; readonly sources: SpokenSources },
  provider: SpeechProvider,
): Promise<BlockRun[]> {
  const excerpts = excerptsOf(sounds, edge, edge)
  const audio = await recordSpeechSound(tools, sources, {
    ...{ heard: excerpts, format: formatFor(provider) },
  })
  if (!audio) return []
  const { segments } = await provider.transcribe(audio, tools)
  const words = segments.flatMap((segment) => segment.words ?? [])
  return sounds.filter((_, i) => {
    const { at = 0 } = excerpts[i] ?? {}
    const next = excerpts[i + 1]?.at ?? Infinity
    const own = words.filter(({ startTime }) => startTime >= at - edge && startTime < next - edge)
    return own.every((word) => beliefIn(word, sureAlone) !== 'word')
  })
}

/** Each sound surrounded by silence. */
function excerptsOf(sounds: readonly BlockRun[], lead: number, rest: number): HeardSpan[] {
  let at = silenceBetween
  return sounds.map((sound): HeardSpan => {
    const from = Math.max(0, sound.from / blocksPerSecond - lead)
    const to = sound.to / blocksPerSecond + rest
    const span = { from, to, at }
    at += to - from + silenceBetween
    return span
  })
}

const samplesPerBlock = speechRate / blocksPerSecond
/** A voice is known by words at most this many seconds away. */
const nearWords = 4
/** How often their pitch is measured: every 40 ms. */
const pitchHop = 0.04 * speechRate
const leastPitches = 5
const leastPeriodicity = 0.8
/** In semitones around the middle of the voice: people who hesitate speak lower, and do not sing. */
const ownRange = { below: 9, above: 5 }
/** “Uh-huh”, “mm-hm” and “uh-oh” are answers, in two parts this near to each other. */
const answerSeconds = 0.35

/** Which of these sounds are in the voice of the person speaking around them, neither sung nor hummed. */
async function spokenSounds(
  sounds: readonly BlockRun[],
  words: readonly Word[],
  read: ReadSpeech,
  isLikely: (frames: readonly VoiceFrame[]) => boolean = () => true,
): Promise<BlockRun[]> {
  const spoken: BlockRun[] = []
  for (const sound of sounds) {
    const frames = await framesIn(sound, read)
    if (!isLikely(frames)) continue
    if (await isOwnPitch(frames, wordsNear(words, sound), read)) spoken.push(sound)
  }
  return spoken
}

async function framesIn({ from, to }: BlockRun, read: ReadSpeech): Promise<VoiceFrame[]> {
  // Hours of sound may contain many hesitations, and the same thread answers health checks.
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
