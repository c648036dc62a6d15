import { Tensor, type InferenceSession } from 'onnxruntime-node'
import { tokenPlaces, type TokenAttention } from '../align-tokens.ts'
import { floatData, outputOf } from '../../../models/model-output.ts'
import { speechRate } from '../../../sound/speech-sound.ts'
import { NextToken, once, type Draft } from '../decode/draft.ts'
import type { DecodedText } from '../recogniser.ts'
import type { NameSpeller } from '../decode/spell-names.ts'
import type { Vocabulary } from '../vocabulary.ts'
import { writeDraft } from '../decode/write-draft.ts'

export type MoonshineModels = {
  readonly encoder: InferenceSession
  readonly decoder: InferenceSession
  readonly vocabulary: Vocabulary
  /** The outputs of the decoder that best show which moment of the sound a token comes from. */
  readonly attention: readonly AttentionOutput[]
}

/** The attention of one layer, and those of its heads that count: all of them if absent. */
export type AttentionOutput = { readonly name: string; readonly heads?: readonly number[] }

const firstToken = 1
const lastToken = 2
/** More tokens than anybody speaks in a second; a longer text is a loop. */
const tokensPerSecond = 6.5
const leastTokens = 8

/** Finds the most likely text of a few seconds of sound, token by token. */
export async function decodeMoonshine(
  models: MoonshineModels,
  samples: Float32Array,
  {
    checkStop,
    names,
  }: { readonly checkStop: () => void; readonly names?: NameSpeller | undefined },
): Promise<DecodedText> {
  checkStop()
  const encoded = await models.encoder.run({
    input_values: new Tensor('float32', samples, [1, samples.length]),
  })
  const heard = outputOf(encoded, 'last_hidden_state')
  const frames = heard.dims[1] ?? 0
  const limit = Math.max(leastTokens, Math.floor((samples.length / speechRate) * tokensPerSecond))
  const begun = await draftAfter({ models, heard, frames, checkStop }, firstToken, {
    ...{ tokens: [], logProbabilities: [], attention: [] },
    cache: emptyCache(models.decoder),
  })
  const isOver = (tokens: readonly number[]): boolean => tokens.length >= limit
  const { draft, isWhole } = await writeDraft(begun, { end: lastToken, isOver, names })
  const { tokens, logProbabilities, attention, next } = draft
  const samplesPerFrame = samples.length / Math.max(1, frames)
  return {
    tokens,
    logProbabilities: isWhole
      ? [...logProbabilities, next.logProbability(lastToken)]
      : logProbabilities,
    place: () => tokenPlaces(attention, frames, { samplesPerFrame, lag: attentionLag }),
  }
}

/** The lag of attention, measured with words of flite and of a person whose times are known: decision 066. */
const attentionLag = 1

type WrittenTokens = {
  readonly tokens: readonly number[]
  readonly logProbabilities: readonly number[]
  /** For each token, and for the next one. */
  readonly attention: readonly TokenAttention[]
}
interface MoonshineDraft extends Draft<MoonshineDraft>, WrittenTokens {}

async function draftAfter(
  task: {
    readonly models: MoonshineModels
    readonly heard: Tensor
    readonly frames: number
    readonly checkStop: () => void
  },
  token: number,
  before: WrittenTokens & { readonly cache: Cache },
): Promise<MoonshineDraft> {
  const { models, heard, frames, checkStop } = task
  checkStop()
  const { tokens } = before
  const isFirst = before.attention.length === 0
  const outputs = await models.decoder.run({
    input_ids: new Tensor('int64', BigInt64Array.of(BigInt(token)), [1, 1]),
    encoder_hidden_states: heard,
    use_cache_branch: new Tensor('bool', Uint8Array.of(isFirst ? 0 : 1), [1]),
    ...before.cache,
  })
  const rows = models.attention.flatMap((output) => headsOf(outputs, output, frames))
  const attention = [...before.attention, rows]
  const cache = nextCache(before.cache, outputs, isFirst)
  const next = new NextToken(floatData(outputs, 'logits'), lastToken)
  const add = once((added: number) =>
    draftAfter(task, added, {
      tokens: [...tokens, added],
      logProbabilities: [...before.logProbabilities, next.logProbability(added)],
      attention,
      cache,
    }),
  )
  return { tokens, logProbabilities: before.logProbabilities, attention, next, add }
}

type Cache = Readonly<Record<string, Tensor>>

const cachePrefix = 'past_key_values'

function emptyCache(decoder: InferenceSession): Cache {
  const entries = decoder.inputMetadata.flatMap((input) => {
    if (!input.isTensor || !input.name.startsWith(cachePrefix)) return []
    const [, heads, , size] = input.shape
    if (typeof heads !== 'number' || typeof size !== 'number') return []
    return [[input.name, new Tensor('float32', new Float32Array(0), [0, heads, 1, size])] as const]
  })
  return Object.fromEntries(entries)
}

/** The first token fills the part of the cache that belongs to the sound; that part does not change afterwards. */
function nextCache(
  cache: Cache,
  outputs: InferenceSession.OnnxValueMapType,
  isFirst: boolean,
): Cache {
  const entries = Object.entries(cache).map(([name, kept]) => {
    const renewed = isFirst || name.includes('.decoder.')
    const present = name.replace(cachePrefix, 'present')
    return [name, renewed ? outputOf(outputs, present) : kept] as const
  })
  return Object.fromEntries(entries)
}

/** The attention of one step, one row for each head. */
function headsOf(
  outputs: InferenceSession.OnnxValueMapType,
  { name, heads }: AttentionOutput,
  frames: number,
): Float32Array[] {
  const rows = floatData(outputs, name)
  const all = Array.from({ length: Math.floor(rows.length / frames) }, (_, head) => head)
  return (heads ?? all).map((head) => rows.slice(head * frames, (head + 1) * frames))
}
