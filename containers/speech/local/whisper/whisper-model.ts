import { deflateSync } from 'node:zlib'
import { unheardLanguage } from '../../../../worker/contract/video/transcript.ts'
import { languageCode } from '../../language-code.ts'
import { certain, findLoop, suspicious } from '../decode/loop-guard.ts'
import type {
  DecodedText,
  HeardPiece,
  Judgement,
  Recogniser,
  SpeechModel,
  SoundExcerpt,
  Recording,
} from '../recogniser.ts'
import { speechRate } from '../../../sound/speech-sound.ts'
import { spellNames, type NameSpeller } from '../decode/spell-names.ts'
import { textOfTokens } from '../vocabulary.ts'
import { decodeWhisper, probabilityOf } from './decode-whisper.ts'
import type { WhisperParts } from './whisper-parts.ts'
import type { Tensor } from 'onnxruntime-node'
import { meanOf } from '../../../numbers/mean.ts'

/** The encoder takes as long for a second as for a full window, so windows are filled, but not across long pauses. */
const mergeGap = 3 * speechRate
const padding = 0.2 * speechRate

/** Whisper's own limits: a text that compresses better than this repeats itself; a less likely one may be wrong. */
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

type KnownSpeech = { readonly names: NameSpeller | undefined; readonly heardBefore?: HeardWindows }

function recogniserFor(
  parts: WhisperParts,
  language: string | undefined,
  { names, heardBefore = new Map() }: KnownSpeech,
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
  if (meanOf(each) < unsure) return true
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

/** How many windows vote: the longest ones, because a short one says little about its language. */
const mostVotes = 8

/** The encoder's answers for the windows that voted, so that those are not encoded again. */
type HeardWindows = Map<string, Tensor>

const windowKey = ({ samples, offset }: SoundExcerpt): string => `${offset}+${samples.length}`

/** Each window gives each language the probability that it is spoken there, times its length; the sum decides. */
async function voteLanguage(
  parts: WhisperParts,
  { sound, pieces, turns }: Recording,
): Promise<{ readonly language: string | undefined; readonly heard: HeardWindows }> {
  const votes = new Map<string, number>()
  const heard: HeardWindows = new Map()
  const byLength = pieces.toSorted((a, b) => b.end - b.start - (a.end - a.start))
  for (const { start, end } of byLength.slice(0, mostVotes)) {
    const samples = await sound.read(start, end)
    const shares = await turns.take(async (checkStop) => {
      checkStop()
      const encoded = await parts.hear(samples)
      heard.set(windowKey({ samples, offset: start }), encoded)
      checkStop()
      return sharesOf(parts, encoded)
    })
    for (const [language, share] of shares) {
      votes.set(language, (votes.get(language) ?? 0) + share * (end - start))
    }
  }
  const [winner] = [...votes].sort(([, a], [, b]) => b - a)
  return { language: winner?.[0], heard }
}

async function sharesOf(
  { tokens, write }: WhisperParts,
  heard: Tensor,
): Promise<ReadonlyMap<string, number>> {
  const { afterLast } = await write(heard).feed([tokens.start])
  const among = new Set(tokens.languages.values())
  const scores = afterLast.map((score, token) =>
    among.has(token) ? score : Number.NEGATIVE_INFINITY,
  )
  return new Map(
    [...tokens.languages].map(([code, token]) => [code, probabilityOf(scores, token)] as const),
  )
}
