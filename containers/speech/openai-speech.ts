import { openAsBlob } from 'node:fs'
import {
  callProvider,
  deadlineIn,
  refusalOf,
  type ProviderCall,
} from '../providers/call-provider.ts'
import { ProviderFault } from '../providers/provider-fault.ts'
import { noKey, speechFault } from './speech-fault.ts'
import { SpeechFailure, type SpeechAudio, type SpeechProvider } from './speech-provider.ts'
import { toSpeech, whisperAnswer, type WhisperAnswer } from './whisper-answer.ts'

type OpenaiSpeechSettings = {
  readonly baseUrl: string
  readonly apiKey: string | undefined
  readonly model: string
  readonly timeoutSeconds: number
  readonly backoffMs?: readonly number[]
}

/** From the most detailed form to the simplest; a server or model refuses a form that it does not know. */
const forms: readonly (readonly (readonly [string, string])[])[] = [
  [
    ['response_format', 'verbose_json'],
    ['timestamp_granularities[]', 'segment'],
    ['timestamp_granularities[]', 'word'],
  ],
  [['response_format', 'verbose_json']],
  [['response_format', 'json']],
]

/** Any server that offers `POST /audio/transcriptions`. */
export function createOpenaiSpeech(settings: OpenaiSpeechSettings): SpeechProvider {
  return {
    name: 'openai',
    transcribe: async (audio, { signal }) => {
      const { apiKey, timeoutSeconds } = settings
      if (apiKey === undefined) throw new SpeechFailure(noKey)
      const call = {
        url: `${settings.baseUrl}/audio/transcriptions`,
        headers: { Authorization: `Bearer ${apiKey}`, Accept: 'application/json' },
        deadline: deadlineIn(timeoutSeconds * 1_000, signal),
        ...(settings.backoffMs && { backoffMs: settings.backoffMs }),
      }
      try {
        return toSpeech(await ask(call, settings.model, audio), audio.durationSeconds)
      } catch (error) {
        throw speechFault(error, timeoutSeconds)
      }
    },
  }
}

async function ask(
  call: Omit<ProviderCall, 'body'>,
  model: string,
  audio: SpeechAudio,
): Promise<WhisperAnswer> {
  let refused = 400
  for (const form of forms) {
    const body = async () => makeForm(audio, [['model', model], ...form])
    const { status, json } = await callProvider({ ...call, body })
    if (status >= 200 && status < 300) return readAnswer(json)
    refused = status
    if (status !== 400 && status !== 422) break
  }
  throw refusalOf(refused)
}

/** Reads the file from the disk while sending it. */
async function makeForm(
  { path }: SpeechAudio,
  fields: readonly (readonly [string, string])[],
): Promise<FormData> {
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  form.append('file', await openAsBlob(path, { type: 'audio/mpeg' }), 'speech.mp3')
  return form
}

function readAnswer(json: unknown): WhisperAnswer {
  const parsed = whisperAnswer.safeParse(json)
  if (!parsed.success) throw new ProviderFault('unreadable', { cause: parsed.error })
  return parsed.data
}
