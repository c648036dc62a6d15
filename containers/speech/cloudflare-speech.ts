import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { callProvider, deadlineIn, refusalOf } from '../providers/call-provider.ts'
import { ProviderFault } from '../providers/provider-fault.ts'
import { noKey, speechFault } from './speech-fault.ts'
import { SpeechFailure, type SpeechProvider } from './speech-provider.ts'
import { toSpeech, whisperAnswer, type WhisperAnswer } from './whisper-answer.ts'

type CloudflareSpeechSettings = {
  readonly baseUrl: string
  readonly accountId: string | undefined
  readonly apiToken: string | undefined
  readonly model: string
  readonly timeoutSeconds: number
  readonly backoffMs?: readonly number[]
}

/** The API wraps every answer in an envelope. */
const envelope = z.object({
  success: z.literal(true),
  result: whisperAnswer.extend({
    text: z.string().default(''),
    transcription_info: z.object({ language: z.string().nullish() }).nullish(),
  }),
})

/** Whisper on Workers AI, over REST. */
export function createCloudflareSpeech(settings: CloudflareSpeechSettings): SpeechProvider {
  return {
    name: 'cloudflare',
    transcribe: async (audio, { signal }) => {
      const { baseUrl, accountId, apiToken, model, timeoutSeconds } = settings
      if (apiToken === undefined || accountId === undefined) throw new SpeechFailure(noKey)
      const sound = await readFile(audio.path, { encoding: 'base64', signal })
      const request = JSON.stringify({ audio: sound, task: 'transcribe', vad_filter: true })
      try {
        const { status, json } = await callProvider({
          url: `${baseUrl}/accounts/${encodeURIComponent(accountId)}/ai/run/${model}`,
          headers: { Authorization: `Bearer ${apiToken}`, 'Content-Type': 'application/json' },
          body: async () => request,
          deadline: deadlineIn(timeoutSeconds * 1_000, signal),
          ...(settings.backoffMs && { backoffMs: settings.backoffMs }),
        })
        if (status < 200 || status >= 300) throw refusalOf(status)
        return toSpeech(readAnswer(json), audio.durationSeconds)
      } catch (error) {
        throw speechFault(error, timeoutSeconds)
      }
    },
  }
}

function readAnswer(json: unknown): WhisperAnswer {
  const parsed = envelope.safeParse(json)
  if (!parsed.success) throw new ProviderFault('unreadable', { cause: parsed.error })
  const { transcription_info: info, ...answer } = parsed.data.result
  return { ...answer, language: answer.language ?? info?.language }
}
