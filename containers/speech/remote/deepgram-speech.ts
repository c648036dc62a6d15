import { openAsBlob } from 'node:fs'
import { z } from 'zod'
import type { KeyedSettings } from '../../providers/call-provider.ts'
import type { Speech, Word } from '../../timeline/speech.ts'
import { certainty, confidenceIn, sureOf } from '../doubtful-text.ts'
import { languageCode } from '../language-code.ts'
import { makeSegments } from '../make-segments.ts'
import type { SpeechProvider } from '../speech-provider.ts'
import { createRemoteSpeech } from './remote-speech.ts'

const word = z.object({
  word: z.string(),
  /** The word with its capitals and punctuation. */
  punctuated_word: z.string().nullish(),
  start: z.number(),
  end: z.number(),
  confidence: certainty,
  speaker: z.int().nullish().catch(undefined),
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
              confidence: certainty,
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
export function createDeepgramSpeech(settings: KeyedSettings): SpeechProvider {
  const { baseUrl, apiKey, model } = settings
  return createRemoteSpeech(
    {
      name: 'deepgram',
      baseUrl,
      authorization: apiKey && `Token ${apiKey}`,
      transcribe: async ({ ask }, audio, { names = [], speakers }) => {
        const query = new URLSearchParams({ model, detect_language: 'true', smart_format: 'true' })
        if (speakers) query.set('diarize', 'true')
        for (const name of withinTokens(names)) query.append('keyterm', name)
        const heard = await ask({
          route: `/listen?${query.toString()}`,
          shape: answer,
          contentType: 'audio/mpeg',
          bodies: [async () => openAsBlob(audio.path, { type: 'audio/mpeg' })],
        })
        return toSpeech(heard, audio.durationSeconds)
      },
    },
    settings,
  )
}

/** Deepgram refuses more tokens than this, and none has less than a byte. */
const mostTokens = 500

function withinTokens(names: readonly string[]): string[] {
  let left = mostTokens
  return names.filter((name) => (left -= Buffer.byteLength(name)) >= 0)
}

function toSpeech({ results }: z.infer<typeof answer>, durationSeconds: number): Speech {
  // The sound has one channel, and one alternative was requested.
  const [channel] = results.channels
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

function toWord({ word: bare, punctuated_word: text, ...said }: z.infer<typeof word>): Word {
  const span = { startTime: said.start, endTime: said.end, text: text ?? bare }
  const { speaker } = said
  return sureOf(
    { ...span, ...(typeof speaker === 'number' && { speaker: String(speaker) }) },
    said.confidence,
  )
}
