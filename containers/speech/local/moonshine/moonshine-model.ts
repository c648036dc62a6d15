import { certain, findLoop, isThin, suspicious } from '../decode/loop-guard.ts'
import type { WindowSettings } from '../make-windows.ts'
import type {
  DecodedText,
  SoundExcerpt,
  Recogniser,
  Recording,
  SpeechModel,
} from '../recogniser.ts'
import { speechRate } from '../../../sound/speech-sound.ts'
import { spellNames } from '../decode/spell-names.ts'
import { beginsWord } from '../vocabulary.ts'
import { decodeMoonshine } from './decode-moonshine.ts'
import { judgeLanguage } from './judge-language.ts'
import type { MoonshineModels } from './decode-moonshine.ts'

const windows: WindowSettings = {
  mergeGap: 1.2 * speechRate,
  longest: 16 * speechRate,
  padding: 0.2 * speechRate,
}

/** Moonshine knows one language, and its own certainty tells whether that is spoken. */
export function moonshineModel(models: MoonshineModels): SpeechModel {
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
