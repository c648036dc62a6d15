import { z } from 'zod'
import { certainty, confidenceIn, sureOf } from '../doubtful-text.ts'
import { languageCode } from '../language-code.ts'
import type { Speech, SpeechSegment, Word } from '../../timeline/speech.ts'

const word = z.object({
  word: z.string(),
  start: z.number(),
  end: z.number(),
  /** Sent by servers that run faster-whisper. */
  probability: certainty,
})

/** Some servers cannot time every word; then only the times are lost, not the text. */
const wordTimes = z.array(word).nullish().catch(undefined)

type WhisperSegment = z.infer<typeof segment>

const segment = z.object({
  start: z.number(),
  end: z.number(),
  text: z.string(),
  avg_logprob: z.number().nullish(),
  no_speech_prob: z.number().nullish(),
  /** Sent with `diarized_json`, and by some servers with every answer. */
  speaker: z.string().nullish().catch(undefined),
  words: wordTimes,
})

/** The answer of Whisper and of servers that imitate it; which fields are missing depends on the server. */
export const whisperAnswer = z.object({
  text: z.string(),
  language: z.string().nullish(),
  segments: z.array(segment).nullish(),
  /** The words of all segments, if the segments do not hold them. */
  words: wordTimes,
})
/** Whisper continues its prompt, and spells as the prompt does. Of a long prompt it reads the last part. */
export const promptOf = (names: readonly string[]): string => `${names.join(', ')}.`

/** Whisper's own rule for text that it made up while nobody spoke. */
const isMadeUp = ({ no_speech_prob, avg_logprob }: WhisperSegment): boolean =>
  (no_speech_prob ?? 0) > 0.6 && (avg_logprob ?? 0) < -1

export function toSpeech(answer: z.infer<typeof whisperAnswer>, durationSeconds: number): Speech {
  const whole = { start: 0, end: durationSeconds, text: answer.text }
  const segments: readonly WhisperSegment[] = answer.segments?.length ? answer.segments : [whole]
  const loose = answer.words ?? []
  const confidence = confidenceOf(segments)
  return {
    language: languageCode(answer.language),
    ...confidenceIn(confidence),
    segments: segments.flatMap((one, i): SpeechSegment[] => {
      if (isMadeUp(one)) return []
      const words = one.words?.length ? one.words : wordsOf(loose, segments, i)
      const who = one.speaker ? { speaker: one.speaker } : {}
      const span = { startTime: one.start, endTime: one.end, text: one.text, ...who }
      const said = words.map((said) => ({ ...toWord(said), ...who }))
      return [said.length > 0 ? { ...span, words: said } : span]
    }),
  }
}

/** The mean probability of a token in the kept segments; longer segments count more. */
function confidenceOf(segments: readonly WhisperSegment[]): number | undefined {
  let [sum, chars] = [0, 0]
  for (const segment of segments) {
    const { avg_logprob: likely, text } = segment
    if (typeof likely !== 'number' || isMadeUp(segment)) continue
    sum += Math.min(0, likely) * text.length
    chars += text.length
  }
  return chars === 0 ? undefined : Math.exp(sum / chars)
}

type StartsAt = { start: number }

/** The words that begin before the next segment; the first segment takes all earlier ones. */
function wordsOf<Item extends StartsAt>(
  words: readonly Item[],
  segments: readonly StartsAt[],
  i: number,
) {
  const from = i === 0 ? Number.NEGATIVE_INFINITY : (segments[i]?.start ?? 0)
  const to = segments[i + 1]?.start ?? Number.POSITIVE_INFINITY
  return words.filter(({ start }) => start >= from && start < to)
}

function toWord({ word: text, start, end, probability }: z.infer<typeof word>): Word {
  return sureOf({ startTime: start, endTime: end, text }, probability)
}
