import { type AttentionOutput, type MoonshineModels, decodeMoonshine } from './decode-moonshine.ts'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import llamaTokenizer from 'llama-tokenizer-js'
import { z } from 'zod'
import { exposeAttention } from '../expose-attention.ts'
import { loadSession } from '../load-session.ts'
import { ModelFault } from '../model-fault.ts'
import type {
  SpeechModel,
  DecodedText,
  SoundExcerpt,
  Recogniser,
  Recording,
  PieceText,
  HeardPiece,
} from '../recogniser.ts'
import { toVocabulary, type Vocabulary, beginsWord, textOfTokens } from '../vocabulary.ts'
import { compareInWholeNumbers } from './whole-number-head.ts'
import { certain, findLoop, isThin, suspicious } from '../decode/loop-guard.ts'
import type { WindowSettings } from '../make-windows.ts'
import { speechRate } from '../../../sound/speech-sound.ts'
import { spellNames } from '../decode/spell-names.ts'
import { decodeWindow } from '../decode/decode-window.ts'
import { totalSamples } from '../find-speech.ts'
import {
  isInDoubt,
  judgeOne,
  judgeAgain,
  meanCertainty,
  type Hearing,
  type LanguageJudgement,
} from './language-score.ts'
import { codeOf } from '../../../errors/code-of.ts'
import { readModelJson } from '../model-json.ts'

/** The attention heads of the packaged model that follow the sound best, by layer; decision 073 says how they were found. */
const followingHeads: Readonly<Record<number, readonly number[]>> = { 4: [2], 5: [1, 5], 6: [6] }
/** In another model, only this last share of the layers follows the sound. */
const followingShare = 1 / 3

/** Loads the packaged model, or the one in a folder. */
export async function loadMoonshine(modelDir: string | undefined): Promise<SpeechModel> {
  return moonshineModel(await loadModels(modelDir))
}

async function loadModels(modelDir: string | undefined): Promise<MoonshineModels> {
  const folder = modelDir ?? packagedModel()
  const vocabulary = await readVocabulary(modelDir)
  const encoder = await loadSession(path.join(folder, 'encoder_model.onnx'))
  const { bytes, attention } = await readDecoder(folder)
  return {
    encoder,
    decoder: await loadSession(path.join(folder, mergedDecoder), bytes),
    vocabulary,
    attention: modelDir === undefined ? packagedHeads(attention) : later(attention),
  }
}

/** Reads the decoder without keeping a copy: it has 60 MB, and is loaded next. */
async function readDecoder(folder: string): Promise<ReturnType<typeof exposeAttention>> {
  const merged = await readOptional(path.join(folder, mergedDecoder))
  if (merged === undefined) throw new ModelFault(`${mergedDecoder} is missing`)
  const { bytes, attention } = exposeAttention(merged)
  if (attention.length === 0) {
    throw new ModelFault(`${mergedDecoder} has no cross-attention that words can be timed by`)
  }
  return { bytes: compareInWholeNumbers(bytes), attention }
}

function packagedHeads(layers: readonly string[]): AttentionOutput[] {
  return Object.entries(followingHeads).map(([layer, heads]) => ({
    name: layers[Number(layer)] ?? '',
    heads,
  }))
}

function later(layers: readonly string[]): AttentionOutput[] {
  const following = Math.max(1, Math.round(layers.length * followingShare))
  return layers.slice(-following).map((name) => ({ name }))
}

const mergedDecoder = 'decoder_model_merged.onnx'

export function packagedModel(): string {
  const entry = fileURLToPath(import.meta.resolve('@usefulsensors/moonshine-js'))
  return path.join(path.dirname(entry), 'model/base/quantized')
}

const tokenizerFile = z.object({
  model: z.object({ vocab: z.record(z.string(), z.int().nonnegative()) }),
  added_tokens: z.array(z.object({ id: z.int().nonnegative() })).default([]),
})

/** The packaged model uses the token numbers of Llama; a model folder may bring its own `tokenizer.json`. */
async function readVocabulary(modelDir: string | undefined): Promise<Vocabulary> {
  const own = modelDir && (await readModelJson(modelDir, 'tokenizer.json', tokenizerFile))
  if (!own) return toVocabulary(withoutControls(llamaTokenizer.vocabById, [0, 1, 2]))
  const { model, added_tokens: added } = own
  const pieces: string[] = []
  for (const [piece, token] of Object.entries(model.vocab)) pieces[token] = piece
  const controls = added.map(({ id }) => id)
  return toVocabulary(
    withoutControls(
      Array.from(pieces, (piece) => piece ?? ''),
      controls,
    ),
  )
}

function withoutControls(pieces: readonly string[], controls: readonly number[]): string[] {
  return pieces.map((piece, token) => (controls.includes(token) ? '' : piece))
}

async function readOptional(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

const windows: WindowSettings = {
  mergeGap: 1.2 * speechRate,
  longest: 16 * speechRate,
  padding: 0.2 * speechRate,
}

/** Moonshine knows only English; how certain it is of its text tells whether English is spoken. */
function moonshineModel(models: MoonshineModels): SpeechModel {
  const { vocabulary } = models
  return {
    windows,
    vocabulary,
    begin: async (recording) => Promise.resolve(recogniserFor(models, recording)),
  }
}

function recogniserFor(models: MoonshineModels, recording: Recording): Recogniser {
  const names = spellNames(recording.names, models.vocabulary)
  const recogniser: Recogniser = {
    language: 'en',
    decode: async ({ samples }, checkStop) =>
      decodeMoonshine(models, samples, { checkStop, names }),
    isDoubtful: (decoded, excerpt, splits) => isDoubtful(models, decoded, { ...excerpt, splits }),
    judge: async (pieces) => {
      const { vocabulary } = models
      const judged = await judgeLanguage(recogniser, recording, { pieces, vocabulary })
      return { confidence: judged.confidence, englishScore: judged.score }
    },
  }
  return recogniser
}

function isDoubtful(
  { vocabulary }: MoonshineModels,
  { tokens }: DecodedText,
  { samples, splits }: SoundExcerpt & { readonly splits: number },
): boolean {
  if (findLoop(tokens, splits === 0 ? suspicious : certain)) return true
  const words = tokens.filter((token) => beginsWord(vocabulary, token)).length
  return isThin(words, samples.length / speechRate)
}

/** This much sound is enough to tell the language. */
const mostSamples = 60 * speechRate

/** People would hardly notice this difference in speed, but the model hears another sound. */
const oneSpeed = [0.93]
const manySpeeds = [0.93, 1.07, 0.86]
const shortSound = 8 * speechRate

/**
 * Judges whether the speech is English. In case of doubt it recognises the sound again at other speeds: once, or three times if
 * the sound is short and each try says little.
 */
async function judgeLanguage(
  recogniser: Recogniser,
  { sound, turns }: Recording,
  { pieces, vocabulary }: { pieces: readonly HeardPiece[]; vocabulary: Vocabulary },
): Promise<LanguageJudgement> {
  if (isCough(pieces)) return judgeOne({ certainty: 0, text: '' })
  const whole = hearingOf(
    pieces.flatMap(({ heard }) => heard),
    vocabulary,
  )
  if (!isInDoubt(whole.certainty)) return judgeOne(whole)
  const some = spreadOver(pieces)
  const first = hearingOf(
    some.flatMap(({ heard }) => heard),
    vocabulary,
  )
  const again: Hearing[] = []
  for (const speed of totalSamples(some) < shortSound ? manySpeeds : oneSpeed) {
    const heard: PieceText[] = []
    for (const { start, end } of some) {
      const excerpt = { samples: atSpeed(await sound.read(start, end), speed), offset: start }
      heard.push(...(await turns.take((checkStop) => decodeWindow(recogniser, excerpt, checkStop))))
    }
    again.push(hearingOf(heard, vocabulary))
  }
  return judgeAgain(first, again)
}

/** A shorter sound of a voice without any text says nothing about the language. */
const shortestSpeech = 2 * speechRate

function isCough(pieces: readonly HeardPiece[]): boolean {
  const isWritten = pieces.some(({ heard }) => heard.some(({ tokens }) => tokens.length > 0))
  return !isWritten && totalSamples(pieces) < shortestSpeech
}

/** All pieces, or a selection of many that spreads over the whole length. */
function spreadOver(pieces: readonly HeardPiece[]): HeardPiece[] {
  const step = Math.max(1, Math.ceil(totalSamples(pieces) / mostSamples))
  return pieces.filter((_, i) => i % step === 0)
}

function hearingOf(heard: readonly PieceText[], vocabulary: Vocabulary): Hearing {
  const texts = heard.map(({ tokens }) =>
    textOfTokens(
      vocabulary,
      tokens.map(({ token }) => token),
    ),
  )
  const tokens = heard.reduce((sum, part) => sum + part.tokens.length, 0)
  return { certainty: meanCertainty(heard), text: texts.join(' '), tokens }
}

function atSpeed(samples: Float32Array, speed: number): Float32Array {
  return Float32Array.from({ length: Math.floor(samples.length / speed) }, (_, i) => {
    const at = i * speed
    const before = Math.floor(at)
    const here = samples[before] ?? 0
    return here + ((samples[before + 1] ?? here) - here) * (at - before)
  })
}
