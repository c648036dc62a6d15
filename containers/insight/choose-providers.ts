import type { Settings } from '../settings.ts'
import { createCloudflareSpeech } from '../speech/cloudflare-speech.ts'
import { createOpenaiSpeech } from '../speech/openai-speech.ts'
import { SpeechFailure, type SpeechProvider } from '../speech/speech-provider.ts'
import { AnalysisFailure, type AnalysisProvider } from './analysis-provider.ts'

/** Made once for each media worker: some of them keep a model. */
export type Providers = {
  readonly speech: SpeechProvider
  readonly analysis: AnalysisProvider
}

export function chooseProviders(settings: Settings): Providers {
  return { speech: chooseSpeech(settings), analysis: chooseAnalysis() }
}

function chooseSpeech(settings: Settings): SpeechProvider {
  const timeoutSeconds = settings.SPEECH_TIMEOUT_SECONDS
  switch (settings.SPEECH_PROVIDER) {
    case 'local':
      return noLocalSpeech
    case 'openai':
      return createOpenaiSpeech({
        baseUrl: settings.OPENAI_BASE_URL,
        apiKey: settings.OPENAI_API_KEY,
        model: settings.OPENAI_SPEECH_MODEL,
        timeoutSeconds,
      })
    case 'cloudflare':
      return createCloudflareSpeech({
        baseUrl: settings.CLOUDFLARE_BASE_URL,
        accountId: settings.CLOUDFLARE_ACCOUNT_ID,
        apiToken: settings.CLOUDFLARE_API_TOKEN,
        model: settings.CLOUDFLARE_SPEECH_MODEL,
        timeoutSeconds,
      })
  }
}

const noLocalSpeech: SpeechProvider = {
  name: 'local',
  transcribe: async () => {
    throw new SpeechFailure('Transcription failed: no speech provider is configured.')
  },
}

function chooseAnalysis(): AnalysisProvider {
  return {
    name: 'local',
    analyse: async () => {
      throw new AnalysisFailure('Analysis failed: no analysis provider is configured.')
    },
  }
}
