import { openAsBlob } from 'node:fs'
import type { KeyedSettings } from '../../providers/call-provider.ts'
import type { SpeechAudio, SpeechProvider } from '../speech-provider.ts'
import { createRemoteSpeech } from './remote-speech.ts'
import { promptOf, toSpeech, whisperAnswer } from './whisper-answer.ts'

/** The forms of an answer, from the most detailed to the simplest; a server or model refuses a form that it does not know. */
const forms: readonly (readonly (readonly [string, string])[])[] = [
  [
    ['response_format', 'verbose_json'],
    ['timestamp_granularities[]', 'segment'],
    ['timestamp_granularities[]', 'word'],
  ],
  [['response_format', 'verbose_json']],
  [['response_format', 'json']],
]

/** The form of models that tell speakers apart; they want to divide a longer sound themselves. */
const diarized: (typeof forms)[number] = [
  ['response_format', 'diarized_json'],
  ['chunking_strategy', 'auto'],
]

/** Transcribes with any server that offers `POST /audio/transcriptions`. */
export function createOpenaiSpeech(settings: KeyedSettings): SpeechProvider {
  const { baseUrl, apiKey, model } = settings
  return createRemoteSpeech(
    {
      name: 'openai',
      baseUrl,
      authorization: apiKey && `Bearer ${apiKey}`,
      transcribe: async ({ ask }, audio, { names = [], speakers }) => {
        const prompt = names.length > 0 ? [['prompt', promptOf(names)] as const] : []
        const fields = [['model', model], ...prompt] as const
        const asked = speakers && /diariz/.test(model) ? [diarized, ...forms] : forms
        const bodies = asked.map((form) => async () => makeForm(audio, [...fields, ...form]))
        const answer = await ask({ route: '/audio/transcriptions', shape: whisperAnswer, bodies })
        return toSpeech(answer, audio.durationSeconds)
      },
    },
    settings,
  )
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
