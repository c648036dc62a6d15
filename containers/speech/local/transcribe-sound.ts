import type { InferenceSession } from 'onnxruntime-node'
import { makeSegments } from '../make-segments.ts'
import type { SpeechSegment } from '../../timeline/speech.ts'
import { decodeWindow, piecesOf } from './decode/decode-window.ts'
import { blockLength, detectInParts, detectInRange } from './detect-activity.ts'
import { findSpeech, type ActivitySettings, type SpeechStretch } from './find-speech.ts'
import { makeWindows, type WindowSettings } from './make-windows.ts'
import { makeWords } from './make-words.ts'
import { fitEdges } from './fit-edges.ts'
import type { HeardPiece, Judgement, Recogniser, Recording, SpeechModel } from './recogniser.ts'
import type { SampledSound } from './sound-file.ts'
import { speechRate } from '../../sound/speech-sound.ts'

export type LocalTranscript = Judgement & {
  readonly language: string
  readonly segments: readonly SpeechSegment[]
}

const activitySettings: ActivitySettings = {
  on: 0.4,
  off: 0.25,
  leastPause: 0.3 * speechRate,
  leastSpeech: 0.25 * speechRate,
}

/** A pause this short is only a breath between two words. */
const breathSettings: ActivitySettings = {
  ...activitySettings,
  leastPause: 0.06 * speechRate,
  leastSpeech: 0.06 * speechRate,
}

/**
 * The detector analyses a sound a second time in blocks of about this length, each by itself. Its own lead takes as long as the
 * pauses that are left out between them.
 */
const blockSettings: WindowSettings = {
  mergeGap: 3 * speechRate,
  longest: 30 * speechRate,
  padding: 0.2 * speechRate,
}

type Models = { readonly activity: InferenceSession; readonly speech: SpeechModel }

/** Where somebody speaks: from pause to pause, and from breath to breath. */
export type Spoken = {
  readonly speech: readonly SpeechStretch[]
  readonly breaths: readonly SpeechStretch[]
}

/** Where somebody speaks in a sound, from breath to breath and in pieces to transcribe, and the language as the model names it. */
export type Survey = Pick<Spoken, 'breaths'> & {
  readonly pieces: readonly SpeechStretch[]
  readonly language: string | undefined
  readonly names: readonly string[]
}

export type Divided = Pick<Survey, 'pieces' | 'language'>

type AskedSound = Pick<Recording, 'sound' | 'turns' | 'names'>

export async function transcribeSound(models: Models, asked: AskedSound): Promise<LocalTranscript> {
  const { survey, recogniser } = await begin(models, asked)
  const written = await hear(recogniser, { ...survey, ...asked })
  return conclude(models, recogniser, { ...survey, written })
}

/** The blocks of a sound in which somebody speaks with these probabilities: one of the steps that lead to the same transcript. */
export async function blocksOf(
  sound: SampledSound,
  probabilities: Float32Array,
): Promise<SpeechStretch[]> {
  return parted(sound, await spokenIn(sound, probabilities, activitySettings), blockSettings)
}

/** Where somebody speaks in some of the blocks. */
export async function spokenInBlocks(
  activity: InferenceSession,
  asked: Pick<Recording, 'sound' | 'turns'>,
  blocks: readonly SpeechStretch[],
): Promise<Spoken> {
  const { sound, turns } = asked
  const ends = blocks.map(({ start, end }) => ({ start, end: Math.min(end, sound.length) }))
  const heard = await detectInParts(activity, sound, ends, turns)
  const all: Spoken[] = []
  for (const [i, block] of ends.entries()) {
    all.push(await spokenInBlock(sound, block, heard[i] ?? new Float32Array()))
  }
  return joinSpoken(all)
}

export function joinSpoken(all: readonly Spoken[]): Spoken {
  return {
    speech: all.flatMap(({ speech }) => speech),
    breaths: all.flatMap(({ breaths }) => breaths),
  }
}

/** The pieces to transcribe. */
export async function divideSpeech(
  { speech: model }: Pick<Models, 'speech'>,
  { sound, turns, names }: AskedSound,
  speech: readonly SpeechStretch[],
): Promise<Divided> {
  const pieces = await parted(sound, speech, model.windows)
  const recogniser = await model.begin({ sound, pieces, turns, names })
  return { pieces, language: recogniser.known }
}

/** Transcribes some of the pieces. */
export async function hearPieces({ speech }: Models, recording: Recording): Promise<HeardPiece[]> {
  return hear(await speech.begin(recording), recording)
}

/** Makes the transcript from all pieces. */
export async function concludeSound(
  models: Models,
  { sound, turns }: Pick<Recording, 'sound' | 'turns'>,
  heard: Survey & { readonly written: readonly HeardPiece[] },
): Promise<LocalTranscript> {
  const recogniser = await models.speech.begin({ ...heard, sound, turns })
  return conclude(models, recogniser, heard)
}

async function begin({ activity, speech }: Models, { sound, turns, names }: AskedSound) {
  const whole = { start: 0, end: sound.length }
  const probabilities = await detectInRange(activity, sound, whole, turns)
  const blocks = await blocksOf(sound, probabilities)
  const spoken = await spokenInBlocks(activity, { sound, turns }, blocks)
  const pieces = await parted(sound, spoken.speech, speech.windows)
  const recogniser = await speech.begin({ sound, pieces, turns, names })
  return { recogniser, survey: { ...spoken, pieces, names, language: recogniser.known } }
}

async function spokenInBlock(
  { read }: SampledSound,
  { start: begins, end: ends }: SpeechStretch,
  probabilities: Float32Array,
): Promise<Spoken> {
  const block: SampledSound = {
    length: ends - begins,
    read: async (from, to) => read(begins + from, begins + to),
  }
  const find = async (settings: ActivitySettings) => {
    const found = await spokenIn(block, probabilities, settings)
    return found.map(({ start, end }) => ({ start: begins + start, end: begins + end }))
  }
  return { speech: await find(activitySettings), breaths: await find(breathSettings) }
}

async function hear(
  recogniser: Recogniser,
  { sound, pieces, turns }: Recording,
): Promise<HeardPiece[]> {
  const written: HeardPiece[] = []
  for (const piece of pieces) {
    const samples = await sound.read(piece.start, piece.end)
    const excerpt = { samples, offset: piece.start }
    const heard = await turns.take((checkStop) => decodeWindow(recogniser, excerpt, checkStop))
    written.push({ ...piece, heard })
  }
  return written
}

async function conclude(
  { speech }: Models,
  recogniser: Recogniser,
  { breaths, written }: Pick<Survey, 'breaths'> & { readonly written: readonly HeardPiece[] },
): Promise<LocalTranscript> {
  const tokens = written.flatMap(({ heard }) => heard.flatMap((part) => part.tokens))
  const spoken = breaths.map(({ start, end }) => ({
    start: start / speechRate,
    end: end / speechRate,
  }))
  const { language } = recogniser
  const spelling = { vocabulary: speech.vocabulary, language }
  return {
    language,
    segments: makeSegments(makeWords(tokens, spelling, spoken), language),
    ...(await recogniser.judge(written)),
  }
}

async function parted(
  sound: SampledSound,
  speech: readonly SpeechStretch[],
  settings: WindowSettings,
): Promise<SpeechStretch[]> {
  const parts: SpeechStretch[] = []
  for (const window of makeWindows(speech, settings)) {
    for await (const part of piecesOf(sound, window, settings.longest)) {
      parts.push(withoutPause(part, window, { speech, padding: settings.padding }))
    }
  }
  return parts
}

/** A recogniser that hears a long pause first mistakes it for a part of the first word. */
function withoutPause(
  part: SpeechStretch,
  window: SpeechStretch,
  { speech, padding }: { readonly speech: readonly SpeechStretch[]; readonly padding: number },
): SpeechStretch {
  const said = speech.filter(({ start, end }) => start < part.end && end > part.start)
  const [first, last] = [said[0] ?? part, said.at(-1) ?? part]
  return {
    start: part.start === window.start ? part.start : Math.max(part.start, first.start - padding),
    end: part.end === window.end ? part.end : Math.min(part.end, last.end + padding),
  }
}

async function spokenIn(
  sound: SampledSound,
  probabilities: Float32Array,
  settings: ActivitySettings,
): Promise<SpeechStretch[]> {
  const found = findSpeech(probabilities, blockLength, settings)
  // The last block may be longer than what is left of the sound.
  const { length } = sound
  return fitEdges(
    sound,
    found.map(({ start, end }) => ({ start, end: Math.min(end, length) })),
  )
}
