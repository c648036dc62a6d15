import type { InferenceSession } from 'onnxruntime-node'
import { makeSegments } from '../make-segments.ts'
import type { SpeechSegment } from '../../timeline/speech.ts'
import { decodeWindow, piecesOf } from './decode/decode-window.ts'
import { blockLength, detectActivity, piecesOfSound } from './detect-activity.ts'
import { findSpeech, type ActivitySettings, type SpeechStretch } from './find-speech.ts'
import { makeWindows } from './make-windows.ts'
import { makeWords } from './make-words.ts'
import { settleEdges } from './settle-edges.ts'
import type { HeardPiece, Judgement, Recogniser, Recording, SpeechModel } from './recogniser.ts'
import type { Sound } from './sound-file.ts'
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

type Models = { readonly activity: InferenceSession; readonly speech: SpeechModel }

/** Where somebody speaks in a sound, from breath to breath and in pieces to hear, and in which language as the model names it. */
export type Survey = {
  readonly breaths: readonly SpeechStretch[]
  readonly pieces: readonly SpeechStretch[]
  readonly language: string | undefined
  readonly names: readonly string[]
}

export type Divided = Pick<Survey, 'pieces' | 'language'>

type Asked = Pick<Recording, 'sound' | 'turns' | 'names'>

export async function transcribeSound(models: Models, asked: Asked): Promise<LocalTranscript> {
  const { survey, recogniser } = await begin(models, asked)
  const written = await hear(recogniser, { ...survey, ...asked })
  return conclude(models, recogniser, { ...survey, written })
}

/** What there is to hear in a sound in which somebody speaks with these probabilities: one of the steps that lead to the same transcript. */
export async function divideSound(
  { speech }: Pick<Models, 'speech'>,
  { sound, turns, names }: Asked,
  probabilities: Float32Array,
): Promise<Divided> {
  const pieces = await piecesToHear(speech, sound, probabilities)
  const recogniser = await speech.begin({ sound, pieces, turns, names })
  return { pieces, language: recogniser.known }
}

/** The breaths of some of the pieces. */
export async function breathsOf(
  activity: InferenceSession,
  asked: Pick<Recording, 'sound' | 'turns'>,
  pieces: readonly SpeechStretch[],
): Promise<SpeechStretch[]> {
  const breaths: SpeechStretch[] = []
  for (const piece of pieces) breaths.push(...(await breathsIn(activity, asked, piece)))
  return breaths
}

/** Writes down some of the pieces. */
export async function hearPieces({ speech }: Models, recording: Recording): Promise<HeardPiece[]> {
  return hear(await speech.begin(recording), recording)
}

/** Makes the transcript of all pieces. */
export async function concludeSound(
  models: Models,
  { sound, turns }: Pick<Recording, 'sound' | 'turns'>,
  heard: Survey & { readonly written: readonly HeardPiece[] },
): Promise<LocalTranscript> {
  const recogniser = await models.speech.begin({ ...heard, sound, turns })
  return conclude(models, recogniser, heard)
}

async function begin({ activity, speech }: Models, { sound, turns, names }: Asked) {
  const { probabilities } = await detectActivity(activity, piecesOfSound(sound), turns)
  const pieces = await piecesToHear(speech, sound, probabilities)
  const breaths = await breathsOf(activity, { sound, turns }, pieces)
  const recogniser = await speech.begin({ sound, pieces, turns, names })
  return { recogniser, survey: { breaths, pieces, names, language: recogniser.known } }
}

/** What the detector hears before a piece, in blocks: with half a second it notices some voices by a third of a second late. */
const lead = 64

/**
 * The detector listens to each piece once more, by itself: it counts its blocks, and remembers, from where it begins. So the same
 * piece has the same breaths in whatever part of a film it is.
 */
async function breathsIn(
  activity: InferenceSession,
  { sound, turns }: Pick<Recording, 'sound' | 'turns'>,
  { start, end }: SpeechStretch,
): Promise<SpeechStretch[]> {
  const from = start - lead * blockLength
  const piece = { length: end - from, read: soundFrom(sound, from) }
  const { probabilities } = await detectActivity(activity, piecesOfSound(piece), turns)
  const own = { length: end - start, read: soundFrom(sound, start) }
  const found = await spokenIn(own, probabilities.subarray(lead), breathSettings)
  return found.map((breath) => ({ start: start + breath.start, end: start + breath.end }))
}

function soundFrom({ read }: Sound, at: number): Sound['read'] {
  return async (from, to) => read(at + from, at + to)
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

async function piecesToHear(
  { windows }: SpeechModel,
  sound: Sound,
  probabilities: Float32Array,
): Promise<SpeechStretch[]> {
  const pieces: SpeechStretch[] = []
  const speech = await spokenIn(sound, probabilities, activitySettings)
  for (const window of makeWindows(speech, windows)) {
    for await (const piece of piecesOf(sound, window, windows.longest)) pieces.push(piece)
  }
  return pieces
}

async function spokenIn(
  sound: Sound,
  probabilities: Float32Array,
  settings: ActivitySettings,
): Promise<SpeechStretch[]> {
  const found = findSpeech(probabilities, blockLength, settings)
  // The last block may be longer than what is left of the sound.
  const { length } = sound
  return settleEdges(
    sound,
    found.map(({ start, end }) => ({ start, end: Math.min(end, length) })),
  )
}
