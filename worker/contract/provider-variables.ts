/** Settings of a media worker that name providers and hold their keys. The Worker hands them to its containers. */
export const providerVariables = [
  'SPEECH_PROVIDER',
  'SPEECH_MODEL_DIR',
  'SPEECH_LANGUAGE_FLOOR',
  'SPEECH_MAX_AUDIO_BYTES',
  'SPEECH_TIMEOUT_SECONDS',
  'ANALYSIS_PROVIDER',
  'OPENAI_BASE_URL',
  'OPENAI_API_KEY',
  'OPENAI_SPEECH_MODEL',
  'OPENAI_VISION_MODEL',
  'CLOUDFLARE_BASE_URL',
  'CLOUDFLARE_ACCOUNT_ID',
  'CLOUDFLARE_API_TOKEN',
  'CLOUDFLARE_SPEECH_MODEL',
  'CLOUDFLARE_VISION_MODEL',
] as const

/** What a media worker is told in confidence: by a descriptor, and never by its environment, which its children could read. */
export const secretMediaVariables = [
  'MEDIA_WORKER_TOKEN',
  'OPENAI_API_KEY',
  'CLOUDFLARE_API_TOKEN',
] as const

export type ProviderVariable = (typeof providerVariables)[number]
