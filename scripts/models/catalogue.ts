/** A model that `npm run models` can fetch. */
export type CatalogueEntry = {
  readonly name: string
  /** Where it is published, under the address of SPOOL_MODELS_URL. */
  readonly repository: string
  /** The size of the quantized variant; before anything is fetched, the hub says the exact one. */
  readonly aboutMegabytes: number
  readonly languages: string
  readonly licence: string
}

const languages = '99, found by the model'
/** OpenAI released the code and the weights of all of them together. */
const licence = 'MIT'

/** The exports with their attention as outputs, by which words are timed. */
export const catalogue: readonly CatalogueEntry[] = [
  {
    name: 'whisper-tiny',
    repository: 'onnx-community/whisper-tiny_timestamped',
    aboutMegabytes: 45,
    languages,
    licence,
  },
  {
    name: 'whisper-base',
    repository: 'onnx-community/whisper-base_timestamped',
    aboutMegabytes: 80,
    languages,
    licence,
  },
  {
    name: 'whisper-small',
    repository: 'onnx-community/whisper-small_timestamped',
    aboutMegabytes: 250,
    languages,
    licence,
  },
  {
    name: 'whisper-large-v3-turbo',
    repository: 'onnx-community/whisper-large-v3-turbo_timestamped',
    aboutMegabytes: 850,
    languages: '100, found by the model',
    licence,
  },
]

/** The variants of a model, and what the names of their graphs end with. */
export const variants = {
  quantized: '_quantized',
  fp32: '',
  fp16: '_fp16',
  int8: '_int8',
  uint8: '_uint8',
  q4: '_q4',
  q4f16: '_q4f16',
  bnb4: '_bnb4',
} as const
export type Variant = keyof typeof variants
