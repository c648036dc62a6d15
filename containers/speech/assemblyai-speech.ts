import { openAsBlob } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import {
  callProvider,
  deadlineIn,
  refusalOf,
  type Deadline,
  type ProviderCall,
} from '../providers/call-provider.ts'
import { ProviderFault } from '../providers/provider-fault.ts'
import { confidenceIn, inThousandths } from './doubtful-text.ts'
import { languageCode } from './language-code.ts'
import { makeSegments } from './make-segments.ts'
import { noKey, speechFault } from './speech-fault.ts'
import { SpeechFailure, type SpeechProvider } from './speech-provider.ts'
import type { Speech, Word } from '../timeline/speech.ts'

type AssemblyaiSpeechSettings = {
  readonly baseUrl: string
  readonly apiKey: string | undefined
  readonly models: readonly string[]
  readonly timeoutSeconds: number
  readonly backoffMs?: readonly number[]
  /** Waits between two questions whether the text is ready. */
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>
}

/** Often enough for a text that takes half a minute. */
const pollMs = 2_000

const upload = z.object({ upload_url: z.url() })

/** The id becomes part of an address. */
const accepted = z.object({ id: z.string().regex(/^[\w-]{1,100}$/) })

const share = z.number().min(0).max(1).nullish().catch(undefined)

const word = z.object({
  text: z.string(),
  /** In milliseconds. */
  start: z.number(),
  end: z.number(),
  confidence: share,
})

const transcript = z.discriminatedUnion('status', [
  z.object({ status: z.enum(['queued', 'processing']) }),
  z.object({ status: z.literal('error'), error: z.string().default('') }),
  z.object({
    status: z.literal('completed'),
    text: z.string().nullish(),
    language_code: z.string().nullish(),
    confidence: share,
    words: z.array(word).nullish(),
  }),
])
type Completed = Extract<z.infer<typeof transcript>, { status: 'completed' }>

/** How AssemblyAI says that it found nobody speaking: for it that is an error. */
const nobodySpeaks = /no spoken audio/i

type Asking = { readonly settings: AssemblyaiSpeechSettings; readonly deadline: Deadline }

/**
 * The recogniser of AssemblyAI: the sound is uploaded, then its text is ordered and asked for until it is ready. An order
 * whose text nobody waits for any longer is deleted there, with its sound.
 */
export function createAssemblyaiSpeech(settings: AssemblyaiSpeechSettings): SpeechProvider {
  return {
    name: 'assemblyai',
    transcribe: async (audio, { signal }) => {
      const { timeoutSeconds } = settings
      if (settings.apiKey === undefined) throw new SpeechFailure(noKey)
      const asking = { settings, deadline: deadlineIn(timeoutSeconds * 1_000, signal) }
      try {
        const { upload_url: address } = await ask(asking, upload, '/upload', {
          headers: { 'Content-Type': 'application/octet-stream' },
          body: async () => openAsBlob(audio.path),
        })
        const order = {
          audio_url: address,
          speech_models: settings.models,
          language_detection: true,
        }
        const { id } = await ask(asking, accepted, '/transcript', {
          headers: { 'Content-Type': 'application/json' },
          body: async () => Promise.resolve(JSON.stringify(order)),
        })
        const ready = await untilReady(asking, id).catch(async (error: unknown) => {
          await withdraw(asking, id)
          throw error
        })
        return toSpeech(ready, audio.durationSeconds)
      } catch (error) {
        throw speechFault(error, timeoutSeconds)
      }
    },
  }
}

async function ask<Answer>(
  { settings, deadline }: Asking,
  shape: z.ZodType<Answer>,
  route: string,
  { headers, body }: Pick<ProviderCall, 'body'> & Partial<Pick<ProviderCall, 'headers'>> = {},
): Promise<Answer> {
  const { status, json } = await callProvider({
    url: `${settings.baseUrl}${route}`,
    headers: { Authorization: settings.apiKey ?? '', ...headers },
    deadline,
    ...(body && { body }),
    ...(settings.backoffMs && { backoffMs: settings.backoffMs }),
  })
  if (status < 200 || status >= 300) throw refusalOf(status)
  const parsed = shape.safeParse(json)
  if (!parsed.success) throw new ProviderFault('unreadable', { cause: parsed.error })
  return parsed.data
}

async function untilReady(asking: Asking, id: string): Promise<Completed | undefined> {
  const { ended, signal } = asking.deadline
  const { pause = waitFor } = asking.settings
  for (;;) {
    const answer = await ask(asking, transcript, `/transcript/${id}`)
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

/** Without an answer the order is left as it is: the caller has to hear why it was withdrawn, and soon. */
async function withdraw({ settings }: Asking, id: string): Promise<void> {
  await fetch(`${settings.baseUrl}/transcript/${id}`, {
    method: 'DELETE',
    headers: { Authorization: settings.apiKey ?? '' },
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

function toWord({ text, start, end, confidence }: z.infer<typeof word>): Word {
  const said = { startTime: start / 1_000, endTime: end / 1_000, text }
  return typeof confidence === 'number' ? { ...said, confidence: inThousandths(confidence) } : said
}
