import { openAsBlob } from 'node:fs'
import { z } from 'zod'
import { callProvider, deadlineIn, refusalOf } from '../providers/call-provider.ts'
import { ProviderFault } from '../providers/provider-fault.ts'
import { confidenceIn, inThousandths } from './doubtful-text.ts'
import { languageCode } from './language-code.ts'
import { makeSegments } from './make-segments.ts'
import { noKey, speechFault } from './speech-fault.ts'
import { SpeechFailure, type SpeechProvider } from './speech-provider.ts'
import type { Speech, Word } from '../timeline/speech.ts'

type DeepgramSpeechSettings = {
  readonly baseUrl: string
  readonly apiKey: string | undefined
  readonly model: string
  readonly timeoutSeconds: number
  readonly backoffMs?: readonly number[]
}

const share = z.number().min(0).max(1).nullish().catch(undefined)

const word = z.object({
  word: z.string(),
  /** With its capitals and punctuation. */
  punctuated_word: z.string().nullish(),
  start: z.number(),
  end: z.number(),
  confidence: share,
})

const answer = z.object({
  results: z.object({
    channels: z
      .array(
        z.object({
          detected_language: z.string().nullish(),
          alternatives: z.array(
            z.object({
              transcript: z.string(),
              confidence: share,
              languages: z.array(z.string()).nullish(),
              words: z.array(word).default([]),
            }),
          ),
        }),
      )
      .min(1),
  }),
})

/** The recogniser of Deepgram: one request with the sound itself as its body. */
export function createDeepgramSpeech(settings: DeepgramSpeechSettings): SpeechProvider {
  return {
    name: 'deepgram',
    transcribe: async (audio, { signal }) => {
      const { apiKey, timeoutSeconds } = settings
      if (apiKey === undefined) throw new SpeechFailure(noKey)
      try {
        const { status, json } = await callProvider({
          url: addressOf(settings),
          headers: { Authorization: `Token ${apiKey}`, 'Content-Type': 'audio/mpeg' },
          body: async () => openAsBlob(audio.path, { type: 'audio/mpeg' }),
          deadline: deadlineIn(timeoutSeconds * 1_000, signal),
          ...(settings.backoffMs && { backoffMs: settings.backoffMs }),
        })
        if (status < 200 || status >= 300) throw refusalOf(status)
        return toSpeech(json, audio.durationSeconds)
      } catch (error) {
        throw speechFault(error, timeoutSeconds)
      }
    },
  }
}

function addressOf({ baseUrl, model }: DeepgramSpeechSettings): string {
  const query = new URLSearchParams({ model, detect_language: 'true', smart_format: 'true' })
  return `${baseUrl}/listen?${query.toString()}`
}

function toSpeech(json: unknown, durationSeconds: number): Speech {
  const parsed = answer.safeParse(json)
  if (!parsed.success) throw new ProviderFault('unreadable', { cause: parsed.error })
  // The sound has one channel, and one alternative was asked for.
  const [channel] = parsed.data.results.channels
  const [best] = channel?.alternatives ?? []
  const language = languageCode(channel?.detected_language ?? best?.languages?.[0])
  if (!best || best.transcript.trim() === '') return { language, segments: [] }
  const whole = { startTime: 0, endTime: durationSeconds, text: best.transcript }
  return {
    language,
    ...confidenceIn(best.confidence ?? undefined),
    segments: best.words.length > 0 ? makeSegments(best.words.map(toWord), language) : [whole],
  }
}

function toWord({
  word: bare,
  punctuated_word: text,
  start,
  end,
  confidence,
}: z.infer<typeof word>) {
  const said: Word = { startTime: start, endTime: end, text: text ?? bare }
  return typeof confidence === 'number' ? { ...said, confidence: inThousandths(confidence) } : said
}
