import { z } from 'zod'
import { languageCode } from './language-code.ts'
import type { Speech, SpeechSegment, Word } from './speech-provider.ts'

const word = z.object({
  word: z.string(),
  start: z.number(),
  end: z.number(),
  /** As servers that run faster-whisper tell it. */
  probability: z.number().min(0).max(1).nullish().catch(undefined),
})

/** Some servers cannot time every word; that costs the times and not the text. */
const wordTimes = z.array(word).nullish().catch(undefined)

type Segment = z.infer<typeof segment>

const segment = z.object({
  start: z.number(),
  end: z.number(),
  text: z.string(),
  avg_logprob: z.number().nullish(),
  no_speech_prob: z.number().nullish(),
  words: wordTimes,
})

/** What Whisper and all that imitate it say; what is missing depends on the server. */
export const whisperAnswer = z.object({
  text: z.string(),
  language: z.string().nullish(),
  segments: z.array(segment).nullish(),
  /** Of all segments, where they do not stand in each. */
  words: wordTimes,
})
export type WhisperAnswer = z.infer<typeof whisperAnswer>

/** Whisper's own rule for what it made up where nobody spoke. */
const isMadeUp = ({ no_speech_prob, avg_logprob }: Segment): boolean =>
  (no_speech_prob ?? 0) > 0.6 && (avg_logprob ?? 0) < -1

export function toSpeech(answer: WhisperAnswer, durationSeconds: number): Speech {
  const whole = { start: 0, end: durationSeconds, text: answer.text }
  const segments: readonly Segment[] = answer.segments?.length ? answer.segments : [whole]
  const loose = answer.words ?? []
  return {
    language: languageCode(answer.language),
    segments: segments.flatMap((one, i): SpeechSegment[] => {
      if (isMadeUp(one)) return []
      const words = one.words?.length ? one.words : wordsOf(loose, segments, i)
      const span = { startTime: one.start, endTime: one.end, text: one.text }
      return [words.length > 0 ? { ...span, words: words.map(toWord) } : span]
    }),
  }
}

type Timed = { start: number }

/** Those that begin before the next segment does; the first takes all that come earlier. */
function wordsOf<Item extends Timed>(
  words: readonly Item[],
  segments: readonly Timed[],
  i: number,
) {
  const from = i === 0 ? Number.NEGATIVE_INFINITY : (segments[i]?.start ?? 0)
  const to = segments[i + 1]?.start ?? Number.POSITIVE_INFINITY
  return words.filter(({ start }) => start >= from && start < to)
}

function toWord({ word: text, start, end, probability }: z.infer<typeof word>): Word {
  const said = { startTime: start, endTime: end, text }
  return typeof probability === 'number'
    ? { ...said, confidence: Math.round(probability * 1_000) / 1_000 }
    : said
}
