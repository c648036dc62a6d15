import { openModelThread, type OpenModel } from '../models/model-thread.ts'
import { SettingsError, type MediaSettings } from '../settings/settings.ts'
import { createCloudflareSpeech } from '../speech/remote/cloudflare-speech.ts'
import { createAssemblyaiSpeech } from '../speech/remote/assemblyai-speech.ts'
import { createDeepgramSpeech } from '../speech/remote/deepgram-speech.ts'
import type { VoiceDetector } from '../sound/pauses/voice-activity.ts'
import { createLocalSpeech } from '../speech/local-speech.ts'
import { SpeechThread } from '../speech/local/speech-thread-client.ts'
import { createVoiceDetector } from '../speech/local-voice-detector.ts'
import { hearInCalls } from '../speech/remote/hear-in-calls.ts'
import { createOpenaiSpeech } from '../speech/remote/openai-speech.ts'
import type { SpeechProvider } from '../speech/speech-provider.ts'
import type { AnalysisProvider } from './analysis-provider.ts'
import type { FindFaces } from './faces/face-model.ts'
import { headsOf, type FindBodies } from './follow/find-bodies.ts'
import { AnalysisThread } from './local/analysis-thread.ts'
import { localAnalysis } from './local/local-analysis.ts'
import { createCloudflareAnalysis } from './remote/cloudflare-analysis.ts'
import { createOpenaiAnalysis } from './remote/openai-analysis.ts'
import { speakersBy, type TellSpeakers } from './tell-speakers.ts'

/** The settings that a provider may need. */
type ProviderSettings = Omit<MediaSettings, 'MEDIA_WORKER_TOKEN'>

/** Made once in each process; the threads with the models are those of the media worker. */
export type Providers = {
  readonly speech: SpeechProvider
  /** Always the local one: remote providers are not asked about pauses. */
  readonly voices: VoiceDetector
  readonly analysis: AnalysisProvider
  /** Faces and bodies are always found on this machine. */
  readonly findFaces: FindFaces
  readonly findBodies: FindBodies
  /** Transcribes a range of a sound for the film of another media worker, with this one's model. */
  readonly hear: SpeechThread['hear']
  /** Tells voices apart if the speech provider does not. */
  readonly tellSpeakers: TellSpeakers
  /** Loads the speech model of the operator; rejects with a `SettingsError` if that cannot be done. */
  readonly prepare: () => Promise<void>
}

/** `open` reaches the threads with the local models. */
export function chooseProviders(
  settings: ProviderSettings,
  open: OpenModel = openModelThread,
): Providers {
  const stepTimeoutMs = settings.SPEECH_TIMEOUT_SECONDS * 1_000
  const thread = new SpeechThread({ modelDir: settings.SPEECH_MODEL_DIR, stepTimeoutMs }, open)
  const voices = createVoiceDetector(thread)
  const speech = chooseSpeech(settings, thread)
  const seeing = new AnalysisThread({}, open)
  return {
    speech: speech.name === 'local' ? speech : hearInCalls(speech, { voices }),
    voices,
    analysis: chooseAnalysis(settings, seeing),
    findFaces: async (look, signal) => seeing.ask('findFaces', look, signal),
    findBodies: async (picture, signal) => headsOf(await seeing.ask('lookAt', picture, signal)),
    hear: async (request, signal) => thread.hear(request, signal),
    tellSpeakers: speakersBy(async (...asked) => thread.voices(...asked)),
    prepare: async () => prepareModel(settings, thread),
  }
}

/** The packaged model is loaded when it is first needed. Another one may be incomplete, which has to show at the start. */
async function prepareModel(settings: ProviderSettings, thread: SpeechThread): Promise<void> {
  const { SPEECH_PROVIDER: provider, SPEECH_MODEL_DIR: folder } = settings
  if (provider !== 'local' || folder === undefined) return
  try {
    await thread.prepare()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new SettingsError(`SPEECH_MODEL_DIR=${folder}: ${reason}`, { cause })
  }
}

const cloudflareUrl = 'https://api.cloudflare.com/client/v4'

function chooseSpeech(settings: ProviderSettings, thread: SpeechThread): SpeechProvider {
  const timeoutSeconds = settings.SPEECH_TIMEOUT_SECONDS
  switch (settings.SPEECH_PROVIDER) {
    case 'local':
      return createLocalSpeech(thread, { timeoutSeconds })
    case 'openai':
      return createOpenaiSpeech({
        baseUrl: settings.OPENAI_BASE_URL,
        apiKey: settings.OPENAI_API_KEY,
        model: settings.OPENAI_SPEECH_MODEL,
        timeoutSeconds,
      })
    case 'cloudflare':
      return createCloudflareSpeech({
        baseUrl: cloudflareUrl,
        accountId: settings.CLOUDFLARE_ACCOUNT_ID,
        apiToken: settings.CLOUDFLARE_API_TOKEN,
        model: settings.CLOUDFLARE_SPEECH_MODEL,
        timeoutSeconds,
      })
    case 'deepgram':
      return createDeepgramSpeech({
        baseUrl: settings.DEEPGRAM_BASE_URL,
        apiKey: settings.DEEPGRAM_API_KEY,
        model: settings.DEEPGRAM_SPEECH_MODEL,
        timeoutSeconds,
      })
    case 'assemblyai':
      return createAssemblyaiSpeech({
        baseUrl: settings.ASSEMBLYAI_BASE_URL,
        apiKey: settings.ASSEMBLYAI_API_KEY,
        models: settings.ASSEMBLYAI_SPEECH_MODELS,
        timeoutSeconds,
      })
  }
}

/** A vision model takes longer than a speech model. */
const analysisTimeoutSeconds = 120

function chooseAnalysis(settings: ProviderSettings, thread: AnalysisThread): AnalysisProvider {
  const timeoutSeconds = analysisTimeoutSeconds
  switch (settings.ANALYSIS_PROVIDER) {
    case 'local':
      return localAnalysis(thread)
    case 'openai':
      return createOpenaiAnalysis({
        baseUrl: settings.OPENAI_BASE_URL,
        apiKey: settings.OPENAI_API_KEY,
        model: settings.OPENAI_VISION_MODEL,
        timeoutSeconds,
      })
    case 'cloudflare':
      return createCloudflareAnalysis({
        baseUrl: cloudflareUrl,
        accountId: settings.CLOUDFLARE_ACCOUNT_ID,
        apiToken: settings.CLOUDFLARE_API_TOKEN,
        model: settings.CLOUDFLARE_VISION_MODEL,
        timeoutSeconds,
      })
  }
}
