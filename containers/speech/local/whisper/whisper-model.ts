import { deflateSync } from 'node:zlib'
import { unheardLanguage } from '../../../../worker/contract/video/transcript.ts'
import { languageCode } from '../../language-code.ts'
import { certain, findLoop, suspicious } from '../decode/loop-guard.ts'
import type { DecodedText, HeardPiece, Judgement, Recogniser, SpeechModel } from '../recogniser.ts'
import { sampleRate } from '../sound-file.ts'
import { spellNames, type NameSpeller } from '../decode/spell-names.ts'
import { textOfTokens } from '../vocabulary.ts'
import { decodeWhisper } from './decode-whisper.ts'
import { voteLanguage, windowKey, type HeardWindows } from './vote-language.ts'
import type { WhisperParts } from './whisper-parts.ts'

/** The encoder takes as long for a second as for a full window, so windows are filled, but not with long pauses. */
const mergeGap = 3 * sampleRate
const padding = 0.2 * sampleRate

/** Whisper's own limits: a text that can be compressed more repeats itself; one that is less likely may be wrong. */
const mostCompression = 2.4
const unsure = -1

/** Whisper finds the language by itself, and is asked for one language throughout a recording. */
export function whisperModel(parts: WhisperParts): SpeechModel {
  const { vocabulary, languages } = parts.tokens
  return {
    windows: { mergeGap, padding, longest: parts.longest - 2 * padding },
    vocabulary,
    begin: async (recording) => {
      const names = spellNames(recording.names, vocabulary)
      if (recording.pieces.length === 0) return recogniserFor(parts, undefined, { names })
      const known = languages.size === 0 ? 'en' : recording.language
      if (known !== undefined) return recogniserFor(parts, known, { names })
      const { language, heard } = await voteLanguage(parts, recording)
      return recogniserFor(parts, language, { names, heardBefore: heard })
    },
  }
}

type Known = { readonly names: NameSpeller | undefined; readonly heardBefore?: HeardWindows }

function recogniserFor(
  parts: WhisperParts,
  language: string | undefined,
  { names, heardBefore = new Map() }: Known,
): Recogniser {
  const { tokens } = parts
  const steering = [tokens.languages.get(language ?? ''), tokens.transcribe]
  const timing = tokens.firstTimestamp === undefined ? [tokens.noTimestamps] : []
  const prompt = [tokens.start, ...steering, ...timing].filter((token) => token !== undefined)
  return {
    language: language === undefined ? unheardLanguage : languageCode(language),
    known: language,
    decode: async (excerpt, checkStop) => {
      const key = windowKey(excerpt)
      checkStop()
      const heard = heardBefore.get(key) ?? (await parts.hear(excerpt.samples))
      heardBefore.delete(key)
      return decodeWhisper(parts, {
        heard,
        prompt,
        names,
        checkStop,
        length: excerpt.samples.length,
      })
    },
    isDoubtful: (decoded, _excerpt, splits) => isDoubtful(parts, decoded, splits),
    judge: async (pieces) => Promise.resolve(judge(pieces)),
  }
}

function isDoubtful({ tokens }: WhisperParts, decoded: DecodedText, splits: number): boolean {
  if (decoded.tokens.length === 0) return false
  if (findLoop(decoded.tokens, splits === 0 ? suspicious : certain)) return true
  const { logProbabilities: each } = decoded
  if (each.reduce((sum, value) => sum + value, 0) / each.length < unsure) return true
  const text = Buffer.from(textOfTokens(tokens.vocabulary, decoded.tokens))
  return text.length / deflateSync(text).length > mostCompression
}

/** The mean likelihood of a token. */
function judge(pieces: readonly HeardPiece[]): Judgement {
  const heard = pieces.flatMap((piece) => piece.heard)
  const judged = heard.reduce((sum, part) => sum + part.judged, 0)
  if (judged === 0) return {}
  return {
    confidence: Math.exp(heard.reduce((sum, part) => sum + part.logProbability, 0) / judged),
  }
}
