import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { CloudflareSettings } from '../../providers/call-provider.ts'
import type { SpeechProvider } from '../speech-provider.ts'
import { createRemoteSpeech } from './remote-speech.ts'
import { promptOf, toSpeech, whisperAnswer } from './whisper-answer.ts'

/** The API wraps every answer in an envelope. */
const envelope = z.object({
  success: z.literal(true),
  result: whisperAnswer.extend({
    text: z.string().default(''),
    transcription_info: z.object({ language: z.string().nullish() }).nullish(),
  }),
})

/** Whisper on Workers AI, over REST. */
export function createCloudflareSpeech(settings: CloudflareSettings): SpeechProvider {
  const { baseUrl, accountId, apiToken, model } = settings
  return createRemoteSpeech(
    {
      name: 'cloudflare',
      baseUrl,
      authorization: accountId && apiToken && `Bearer ${apiToken}`,
      transcribe: async ({ ask, deadline }, audio, { names = [] }) => {
        const sound = await readFile(audio.path, { encoding: 'base64', signal: deadline.ended })
        const request = JSON.stringify({
          ...{ audio: sound, task: 'transcribe', vad_filter: true },
          ...(names.length > 0 && { initial_prompt: promptOf(names) }),
        })
        const { result } = await ask({
          route: `/accounts/${encodeURIComponent(accountId ?? '')}/ai/run/${model}`,
          shape: envelope,
          contentType: 'application/json',
          bodies: [async () => Promise.resolve(request)],
        })
        const { transcription_info: info, ...answer } = result
        const language = answer.language ?? info?.language
        return toSpeech({ ...answer, language }, audio.durationSeconds)
      },
    },
    settings,
  )
}
