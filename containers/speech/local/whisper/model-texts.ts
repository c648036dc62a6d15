import { z } from 'zod'
import { ModelFault } from '../model-fault.ts'
import { readModelJson } from '../model-json.ts'

const token = z.int().min(0).max(1_000_000)
const count = z.int().min(1).max(1_000_000)
/** In the files of some models, -1 leaves the choice to the tokenizer. */
const tokens = z.array(z.int().min(-1)).nullish()
const tokenOrFirst = z.union([
  token,
  z
    .array(token)
    .min(1)
    .transform(([first = 0]) => first),
])

const config = z.object({
  model_type: z.string().nullish(),
  vocab_size: count.nullish(),
  num_mel_bins: z.int().min(1).max(1_024).nullish(),
  d_model: count.nullish(),
  decoder_attention_heads: count.nullish(),
  max_target_positions: count.nullish(),
  decoder_start_token_id: token.nullish(),
  eos_token_id: tokenOrFirst.nullish(),
  suppress_tokens: tokens,
  begin_suppress_tokens: tokens,
})

const generation = z.object({
  is_multilingual: z.boolean().nullish(),
  lang_to_id: z.record(z.string(), token).nullish(),
  task_to_id: z.record(z.string(), token).nullish(),
  no_timestamps_token_id: token.nullish(),
  decoder_start_token_id: token.nullish(),
  eos_token_id: tokenOrFirst.nullish(),
  suppress_tokens: tokens,
  begin_suppress_tokens: tokens,
  alignment_heads: z.array(z.tuple([z.int().min(0), z.int().min(0)])).nullish(),
  max_length: count.nullish(),
  max_initial_timestamp_index: z.int().min(0).nullish(),
})

const preprocessor = z.object({
  feature_size: z.int().min(1).max(1_024).nullish(),
  sampling_rate: z.literal(16_000, 'only 16000 is known').nullish(),
  n_fft: z.int().min(2).max(8_192).multipleOf(2).nullish(),
  hop_length: z.int().min(1).max(8_192).nullish(),
  chunk_length: z.int().min(1).max(120).nullish(),
})

const vocabulary = z.record(z.string(), token)
const tokenizer = z.object({
  model: z.object({ vocab: vocabulary }),
  added_tokens: z.array(z.object({ id: token, content: z.string() })).nullish(),
})
const tokenizerConfig = z.object({
  added_tokens_decoder: z
    .record(z.string().regex(/^\d{1,7}$/), z.object({ content: z.string() }))
    .nullish(),
})

/** The settings of a model, which are spread over several files beside it. */
export type ModelTexts = {
  readonly config: z.infer<typeof config>
  readonly generation: z.infer<typeof generation>
  readonly preprocessor: z.infer<typeof preprocessor>
  /** The pieces of text, by the spelling of byte-level BPE. */
  readonly pieces: Readonly<Record<string, number>>
  /** The numbers of the tokens that steer the model, by their names. */
  readonly controls: ReadonlyMap<string, number>
}

export async function readModelTexts(folder: string): Promise<ModelTexts> {
  const settings = await readModelJson(folder, 'config.json', config)
  if (!settings) throw new ModelFault('config.json is missing')
  return {
    config: settings,
    generation: (await readModelJson(folder, 'generation_config.json', generation)) ?? {},
    preprocessor: (await readModelJson(folder, 'preprocessor_config.json', preprocessor)) ?? {},
    ...(await readTokens(folder)),
  }
}

async function readTokens(folder: string): Promise<Pick<ModelTexts, 'pieces' | 'controls'>> {
  const whole = await readModelJson(folder, 'tokenizer.json', tokenizer)
  const pieces = whole?.model.vocab ?? (await readModelJson(folder, 'vocab.json', vocabulary))
  if (!pieces) throw new ModelFault('tokenizer.json is missing, and so is vocab.json')
  const added = (await readModelJson(folder, 'added_tokens.json', vocabulary)) ?? {}
  const described = await readModelJson(folder, 'tokenizer_config.json', tokenizerConfig)
  const controls = new Map([
    ...Object.entries(pieces).filter(([piece]) => isControl(piece)),
    ...Object.entries(described?.added_tokens_decoder ?? {}).map(
      ([id, { content }]) => [content, Number(id)] as const,
    ),
    ...Object.entries(added),
    ...(whole?.added_tokens ?? []).map(({ id, content }) => [content, id] as const),
  ])
  return { pieces, controls }
}

/** Some vocabularies hold the control tokens too. */
const isControl = (piece: string): boolean => /^<\|[^|]*\|>$/.test(piece)
