import { ModelFault } from '../model-fault.ts'
import type { Vocabulary } from '../vocabulary.ts'
import type { ModelTexts } from './model-texts.ts'

/** The tokens of a model that have a meaning besides text. */
export type WhisperTokens = {
  readonly vocabulary: Vocabulary
  readonly start: number
  readonly end: number
  /** Absent, like the languages, in models of English alone. */
  readonly transcribe: number | undefined
  readonly languages: ReadonlyMap<string, number>
  readonly noSpeech: number | undefined
  readonly noTimestamps: number | undefined
  /** The token for 0.00 seconds; each further one stands for `timestampSeconds` more. */
  readonly firstTimestamp: number | undefined
  /** Tokens that are never written. */
  readonly suppressed: readonly number[]
  /** Tokens that are never written first. */
  readonly suppressedFirst: readonly number[]
  /** The number of the last timestamp that a text may begin with. */
  readonly latestStart: number
  /** The length of the longest text, with the tokens before it. */
  readonly most: number
}

export const timestampSeconds = 0.02

const languageName = /^<\|([a-z]{2,3})\|>$/
const usualLatestStart = 50
const usualMost = 448
/** The vocabulary of the models of English alone, which nevertheless name all languages. */
const englishVocabulary = 51_864

export function whisperTokens(texts: ModelTexts): WhisperTokens {
  const { config, generation, controls, pieces } = texts
  const start =
    controls.get('<|startoftranscript|>') ??
    generation.decoder_start_token_id ??
    config.decoder_start_token_id
  const end = generation.eos_token_id ?? controls.get('<|endoftext|>') ?? config.eos_token_id
  if (typeof start !== 'number' || typeof end !== 'number') {
    const missing = typeof start === 'number' ? 'eos_token_id' : 'decoder_start_token_id'
    throw new ModelFault(`generation_config.json and config.json have no ${missing}`)
  }
  const { noTimestamps, firstTimestamp } = timing(texts)
  const steering = new Set([...controls.values(), start, end])
  return {
    ...spoken(texts),
    vocabulary: byteVocabulary(pieces, (token) => steering.has(token)),
    start,
    end,
    noSpeech: controls.get('<|nospeech|>') ?? controls.get('<|nocaptions|>'),
    noTimestamps,
    firstTimestamp,
    suppressed: suppressedIn(texts, { start, end, firstTimestamp }),
    suppressedFirst: generation.begin_suppress_tokens ?? config.begin_suppress_tokens ?? [end],
    latestStart: generation.max_initial_timestamp_index ?? usualLatestStart,
    most: Math.min(generation.max_length ?? usualMost, config.max_target_positions ?? usualMost),
  }
}

/** Timestamps are the last tokens. Some models can leave them out but have none. */
function timing({
  config,
  generation,
  controls,
}: ModelTexts): Pick<WhisperTokens, 'noTimestamps' | 'firstTimestamp'> {
  const noTimestamps =
    generation.no_timestamps_token_id ?? controls.get('<|notimestamps|>') ?? undefined
  const first =
    controls.get('<|0.00|>') ?? (noTimestamps === undefined ? undefined : noTimestamps + 1)
  const size = config.vocab_size ?? Number.POSITIVE_INFINITY
  return { noTimestamps, firstTimestamp: first !== undefined && first < size ? first : undefined }
}

function spoken(texts: ModelTexts): Pick<WhisperTokens, 'languages' | 'transcribe'> {
  const { config, generation, controls } = texts
  const named = generation.lang_to_id ? Object.entries(generation.lang_to_id) : [...controls]
  const languages = new Map(
    named.flatMap(([name, token]) => {
      const code = languageName.exec(name)?.[1]
      return code === undefined ? [] : [[code, token] as const]
    }),
  )
  const knowsMany = generation.is_multilingual ?? mayKnowMany(texts, languages.size)
  if (!knowsMany) return { languages: new Map(), transcribe: undefined }
  const transcribe = generation.task_to_id?.['transcribe'] ?? controls.get('<|transcribe|>')
  if (transcribe === undefined) {
    throw new ModelFault(
      'generation_config.json has no task_to_id.transcribe, and the tokenizer no <|transcribe|>',
    )
  }
  if (languages.size === 0) {
    const wanted = `${config.vocab_size ?? 'many'} tokens`
    throw new ModelFault(
      `generation_config.json has no lang_to_id, and the tokenizer (${wanted}) no language such as <|en|>`,
    )
  }
  return { languages, transcribe }
}

function mayKnowMany({ config, generation }: ModelTexts, languages: number): boolean {
  if (generation.lang_to_id) return true
  return languages > 0 && config.vocab_size !== englishVocabulary
}

/** The tokens that the model suppresses, and every token that steers it, even one without a name. */
function suppressedIn(
  { config, generation, controls, pieces }: ModelTexts,
  known: Pick<WhisperTokens, 'start' | 'end' | 'firstTimestamp'>,
): number[] {
  const { start, end, firstTimestamp = Number.POSITIVE_INFINITY } = known
  const named = generation.suppress_tokens ?? config.suppress_tokens ?? []
  const texts = new Set(Object.values(pieces))
  const highest = [...controls.values()].reduce((most, token) => Math.max(most, token), end)
  const last = known.firstTimestamp ?? highest + 1
  const unnamed = Array.from({ length: Math.max(0, last - end - 1) }, (_, i) => end + 1 + i)
  return [
    ...new Set([
      ...named.filter((token) => token >= 0),
      ...[start, ...controls.values()].filter((token) => token !== end && token < firstTimestamp),
      ...unnamed.filter((token) => !texts.has(token)),
    ]),
  ]
}

/**
 * Byte-level BPE writes every byte as one printable character: itself where it is one, and otherwise the next free
 * character from 256 on.
 */
const byteOfCharacter = new Map<string, number>()
for (let byte = 0, free = 256; byte < 256; byte++) {
  const isItself = (byte > 32 && byte < 127) || (byte > 160 && byte !== 173)
  byteOfCharacter.set(String.fromCodePoint(isItself ? byte : free++), byte)
}

/** The bytes of each token; a control token has none. */
function byteVocabulary(
  pieces: Readonly<Record<string, number>>,
  isControl: (token: number) => boolean,
): Vocabulary {
  const vocabulary: Uint8Array[] = []
  for (const [piece, token] of Object.entries(pieces)) {
    vocabulary[token] = isControl(token) ? new Uint8Array() : bytesOf(piece)
  }
  return Array.from(vocabulary, (bytes) => bytes ?? new Uint8Array())
}

function bytesOf(piece: string): Uint8Array {
  const bytes = Array.from(piece, (character) => {
    const byte = byteOfCharacter.get(character)
    return byte === undefined ? [...Buffer.from(character)] : [byte]
  })
  return Uint8Array.from(bytes.flat())
}
