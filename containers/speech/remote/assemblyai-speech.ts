import { openAsBlob } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import type { Patience } from '../../providers/call-provider.ts'
import { ProviderFault } from '../../providers/provider-fault.ts'
import type { Speech, Word } from '../../timeline/speech.ts'
import { certainty, confidenceIn, sureOf } from '../doubtful-text.ts'
import { languageCode } from '../language-code.ts'
import { makeSegments } from '../make-segments.ts'
import type { SpeechProvider } from '../speech-provider.ts'
import { createRemoteSpeech, type Conversation } from './remote-speech.ts'

type AssemblyaiSpeechSettings = Patience & {
  readonly baseUrl: string
  readonly apiKey: string | undefined
  readonly models: readonly string[]
  /** The wait between two polls for the text. */
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>
}

/** Often enough for a text that takes half a minute. */
const pollMs = 2_000

const upload = z.object({ upload_url: z.url() })

/** AssemblyAI refuses longer terms. */
const mostWordsOfTerm = 6

/** The id becomes part of an address. */
const accepted = z.object({ id: z.string().regex(/^[\w-]{1,100}$/) })

const word = z.object({
  text: z.string(),
  /** In milliseconds. */
  start: z.number(),
  end: z.number(),
  confidence: certainty,
  speaker: z.string().nullish().catch(undefined),
})

const transcript = z.discriminatedUnion('status', [
  z.object({ status: z.enum(['queued', 'processing']) }),
  z.object({ status: z.literal('error'), error: z.string().default('') }),
  z.object({
    status: z.literal('completed'),
    text: z.string().nullish(),
    language_code: z.string().nullish(),
    confidence: certainty,
    words: z.array(word).nullish(),
  }),
])
type Completed = Extract<z.infer<typeof transcript>, { status: 'completed' }>

/** The message with which AssemblyAI says that nobody speaks: it treats that as an error. */
const nobodySpeaks = /no spoken audio/i

/**
 * The recogniser of AssemblyAI: the sound is uploaded, its transcript is ordered, and polled until it is ready. An order whose
 * transcript is no longer wanted is deleted there together with the sound.
 */
export function createAssemblyaiSpeech(settings: AssemblyaiSpeechSettings): SpeechProvider {
  const { baseUrl, apiKey, models } = settings
  return createRemoteSpeech(
    {
      name: 'assemblyai',
      baseUrl,
      authorization: apiKey,
      transcribe: async (conversation, audio, { names = [], speakers }) => {
        const { ask } = conversation
        const { upload_url: address } = await ask({
          route: '/upload',
          shape: upload,
          contentType: 'application/octet-stream',
          bodies: [async () => openAsBlob(audio.path)],
        })
        const terms = names.filter((name) => name.split(/\s+/).length <= mostWordsOfTerm)
        const order = {
          ...{ audio_url: address, speech_models: models, language_detection: true },
          ...(terms.length > 0 && { keyterms_prompt: terms }),
          ...(speakers && { speaker_labels: true, speakers_expected: speakers.count }),
        }
        const { id } = await ask({
          route: '/transcript',
          shape: accepted,
          contentType: 'application/json',
          bodies: [async () => Promise.resolve(JSON.stringify(order))],
        })
        const { pause = waitFor } = settings
        const ready = await untilReady(conversation, id, pause).catch(async (error: unknown) => {
          await withdraw(settings, id)
          throw error
        })
        return toSpeech(ready, audio.durationSeconds)
      },
    },
    settings,
  )
}

async function untilReady(
  { ask, deadline: { ended, signal } }: Conversation,
  id: string,
  pause: typeof waitFor,
): Promise<Completed | undefined> {
  for (;;) {
    const answer = await ask({ route: `/transcript/${id}`, shape: transcript })
    if (answer.status === 'completed') return answer
    if (answer.status === 'error') {
      if (nobodySpeaks.test(answer.error)) return undefined
      throw new ProviderFault('refused', { cause: new Error(answer.error.slice(0, 500)) })
    }
    await pause(pollMs, signal).catch((error: unknown) => {
      ended.throwIfAborted()
      throw new ProviderFault('timed-out', { cause: error })
    })
  }
}

const withdrawalMs = 2_000

/** If the provider does not answer, the order is left there: the caller must learn the reason soon. */
async function withdraw(
  { baseUrl, apiKey = '' }: AssemblyaiSpeechSettings,
  id: string,
): Promise<void> {
  await fetch(`${baseUrl}/transcript/${id}`, {
    method: 'DELETE',
    headers: { Authorization: apiKey },
    redirect: 'manual',
    signal: AbortSignal.timeout(withdrawalMs),
  }).then(
    async (response) => response.body?.cancel(),
    () => undefined,
  )
}

const waitFor = async (milliseconds: number, signal: AbortSignal): Promise<unknown> =>
  wait(milliseconds, undefined, { signal })

function toSpeech(answer: Completed | undefined, durationSeconds: number): Speech {
  const language = languageCode(answer?.language_code)
  const text = answer?.text?.trim() ?? ''
  if (!answer || text === '') return { language, segments: [] }
  const words = (answer.words ?? []).map(toWord)
  return {
    language,
    ...confidenceIn(answer.confidence ?? undefined),
    segments:
      words.length > 0
        ? makeSegments(words, language)
        : [{ startTime: 0, endTime: durationSeconds, text }],
  }
}

function toWord({ text, start, end, confidence, speaker }: z.infer<typeof word>): Word {
  const span = { startTime: start / 1_000, endTime: end / 1_000, text }
  return sureOf({ ...span, ...(typeof speaker === 'string' && { speaker }) }, confidence)
}
