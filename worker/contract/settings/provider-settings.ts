import { headerText, oneOf, pathName, pathNames, place, seconds, webAddress } from './kinds.ts'
import { mediaSetting } from './setting.ts'

const analysisProvider = oneOf('local', 'openai', 'cloudflare')
const speechProvider = oneOf('local', 'openai', 'cloudflare', 'deepgram', 'assemblyai')

/**
 * The providers of speech and analysis, with their keys. A deployed Worker passes these on to the containers it starts.
 */
export const providerSettings = {
  SPEECH_PROVIDER: mediaSetting(speechProvider, {
    meaning:
      'Who turns speech into text: `local`, `openai`, `cloudflare`, `deepgram` or `assemblyai`; see `docs/operators/providers.md`',
    fallback: 'local',
    example: 'openai',
  }),
  SPEECH_MODEL_DIR: mediaSetting(place, {
    meaning:
      'Folder with another speech model, such as a Whisper for every language; see `docs/operators/providers.md`',
    shownFallback: 'the packaged model',
    example: '/models/whisper-base',
  }),
  MAX_TRANSCRIPTION_SECONDS: mediaSetting(seconds, {
    meaning: 'Length up to which a video is transcribed; longer ones get no transcript',
    fallback: '600',
    shownFallback: '14400; 600 where deployed',
    example: '3600',
  }),
  SPEECH_TIMEOUT_SECONDS: mediaSetting(seconds, {
    meaning: 'How long one call of a speech provider may take; for `local`, one window of speech',
    fallback: '60',
    example: '120',
  }),
  ANALYSIS_PROVIDER: mediaSetting(analysisProvider, {
    meaning: 'Who analyses the finished video: `local`, `openai` or `cloudflare`',
    fallback: 'local',
    example: 'cloudflare',
  }),
  OPENAI_BASE_URL: mediaSetting(webAddress, {
    meaning: 'Address of `openai`, or of any server with the same API',
    fallback: 'https://api.openai.com/v1',
    example: 'http://10.0.0.5:8000/v1',
  }),
  OPENAI_API_KEY: mediaSetting(headerText, {
    isSecret: true,
    meaning: 'Secret: the API key for `openai`',
    shownFallback: 'none',
    example: 'sk-proj-0123',
  }),
  OPENAI_SPEECH_MODEL: mediaSetting(pathName, {
    meaning: 'Speech model of `openai`',
    fallback: 'whisper-1',
    example: 'gpt-4o-transcribe',
  }),
  OPENAI_VISION_MODEL: mediaSetting(pathName, {
    meaning: 'Vision model of `openai`',
    fallback: 'gpt-4o-mini',
    example: 'gpt-4o',
  }),
  CLOUDFLARE_ACCOUNT_ID: mediaSetting(pathName, {
    meaning: 'Account whose Workers AI is used',
    shownFallback: 'none',
    example: '023e105f4ecef8ad9ca31a8372d0c353',
  }),
  CLOUDFLARE_API_TOKEN: mediaSetting(headerText, {
    isSecret: true,
    meaning: 'Secret: a token with the permission Workers AI',
    shownFallback: 'none',
    example: 'v1.0-0123',
  }),
  CLOUDFLARE_SPEECH_MODEL: mediaSetting(pathName, {
    meaning: 'Speech model of `cloudflare`',
    fallback: '@cf/openai/whisper-large-v3-turbo',
    example: '@cf/openai/whisper-large-v3-turbo',
  }),
  CLOUDFLARE_VISION_MODEL: mediaSetting(pathName, {
    meaning: 'Vision model of `cloudflare`',
    fallback: '@cf/meta/llama-4-scout-17b-16e-instruct',
    example: '@cf/google/gemma-3-12b-it',
  }),
  DEEPGRAM_BASE_URL: mediaSetting(webAddress, {
    meaning: 'Address of `deepgram`, such as that of another region',
    fallback: 'https://api.deepgram.com/v1',
    example: 'https://api.eu.deepgram.com/v1',
  }),
  DEEPGRAM_API_KEY: mediaSetting(headerText, {
    isSecret: true,
    meaning: 'Secret: the API key for `deepgram`',
    shownFallback: 'none',
    example: '0123456789abcdef',
  }),
  DEEPGRAM_SPEECH_MODEL: mediaSetting(pathName, {
    meaning: 'Speech model of `deepgram`',
    fallback: 'nova-3',
    example: 'nova-2',
  }),
  ASSEMBLYAI_BASE_URL: mediaSetting(webAddress, {
    meaning: 'Address of `assemblyai`, such as that of another region',
    fallback: 'https://api.assemblyai.com/v2',
    example: 'https://api.eu.assemblyai.com/v2',
  }),
  ASSEMBLYAI_API_KEY: mediaSetting(headerText, {
    isSecret: true,
    meaning: 'Secret: the API key for `assemblyai`',
    shownFallback: 'none',
    example: '0123456789abcdef',
  }),
  ASSEMBLYAI_SPEECH_MODELS: mediaSetting(pathNames, {
    meaning: 'Speech models of `assemblyai`: the first one that knows the language is used',
    fallback: 'universal-3-pro,universal-2',
    example: 'universal-2',
  }),
}
