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
import { sampleRate, type Sound } from './sound-file.ts'

export type LocalTranscript = Judgement & {
  readonly language: string
  readonly segments: readonly SpeechSegment[]
}

const activitySettings: ActivitySettings = {
  on: 0.4,
  off: 0.25,
  leastPause: 0.3 * sampleRate,
  leastSpeech: 0.25 * sampleRate,
}

/** A pause this short is only a breath between two words. */
const breathSettings: ActivitySettings = {
  ...activitySettings,
  leastPause: 0.06 * sampleRate,
  leastSpeech: 0.06 * sampleRate,
}

type Models = { readonly activity: InferenceSession; readonly speech: SpeechModel }

/** Where somebody speaks in a sound, and in which language as the model names it. */
export type Survey = {
  readonly probabilities: Float32Array
  readonly pieces: readonly SpeechStretch[]
  readonly language: string | undefined
  readonly names: readonly string[]
}

type Asked = Pick<Recording, 'sound' | 'turns' | 'names'>

export async function transcribeSound(models: Models, asked: Asked): Promise<LocalTranscript> {
  const { survey, recogniser } = await begin(models, asked)
  const written = await hear(recogniser, { ...survey, ...asked })
  return conclude(models, recogniser, { ...survey, ...asked, written })
}

/** The first of three steps that lead to the same transcript. What several models hear of the second is put together. */
export async function surveySound(models: Models, asked: Asked): Promise<Survey> {
  return (await begin(models, asked)).survey
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
  return conclude(models, recogniser, { ...heard, sound })
}

async function begin({ activity, speech }: Models, { sound, turns, names }: Asked) {
  const { probabilities } = await detectActivity(activity, piecesOfSound(sound), turns)
  const pieces = await piecesToHear(speech, sound, probabilities)
  const recogniser = await speech.begin({ sound, pieces, turns, names })
  return { recogniser, survey: { probabilities, pieces, names, language: recogniser.known } }
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
  heard: Pick<Survey, 'probabilities'> & {
    readonly sound: Sound
    readonly written: readonly HeardPiece[]
  },
): Promise<LocalTranscript> {
  const { sound, probabilities, written } = heard
  const tokens = written.flatMap(({ heard }) => heard.flatMap((part) => part.tokens))
  const breaths = await spokenIn(sound, probabilities, breathSettings)
  const spoken = breaths.map(({ start, end }) => ({
    start: start / sampleRate,
    end: end / sampleRate,
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
  return settleEdges(sound, findSpeech(probabilities, blockLength, settings))
}
