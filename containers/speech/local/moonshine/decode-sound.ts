import { Tensor, type InferenceSession } from 'onnxruntime-node'
import { placesIn, type TokenAttention } from '../align-tokens.ts'
import { floatData, mostLikely, outputOf } from '../model-output.ts'
import { sampleRate } from '../sound-file.ts'
import type { DecodedText } from '../recogniser.ts'
import type { Vocabulary } from '../vocabulary.ts'

export type MoonshineModels = {
  readonly encoder: InferenceSession
  readonly decoder: InferenceSession
  readonly vocabulary: Vocabulary
  /** The outputs of the decoder that show best which moment a token comes from. */
  readonly attention: readonly string[]
}

const firstToken = 1
const lastToken = 2
/** Faster than anybody speaks; a longer text is a loop. */
const tokensPerSecond = 6.5
const leastTokens = 8

/** Finds the most likely text of a few seconds of sound, token by token. */
export async function decodeSound(
  models: MoonshineModels,
  samples: Float32Array,
  checkStop: () => void,
): Promise<DecodedText> {
  const { encoder, decoder } = models
  checkStop()
  const encoded = await encoder.run({
    input_values: new Tensor('float32', samples, [1, samples.length]),
  })
  const heard = outputOf(encoded, 'last_hidden_state')
  const frames = heard.dims[1] ?? 0
  const limit = Math.max(leastTokens, Math.floor((samples.length / sampleRate) * tokensPerSecond))
  const tokens: number[] = []
  const logProbabilities: number[] = []
  const attention: TokenAttention[] = []
  let cache = emptyCache(decoder)
  let token = firstToken
  for (let step = 0; step < limit; step++) {
    checkStop()
    const outputs = await decoder.run({
      input_ids: new Tensor('int64', BigInt64Array.of(BigInt(token)), [1, 1]),
      encoder_hidden_states: heard,
      use_cache_branch: new Tensor('bool', Uint8Array.of(step > 0 ? 1 : 0), [1]),
      ...cache,
    })
    const choice = mostLikely(floatData(outputs, 'logits'), lastToken)
    logProbabilities.push(choice.logProbability)
    attention.push(models.attention.flatMap((name) => headsOf(outputs, name, frames)))
    if (choice.token === lastToken) break
    token = choice.token
    tokens.push(token)
    cache = nextCache(cache, outputs, step)
  }
  const samplesPerFrame = samples.length / Math.max(1, frames)
  return { tokens, logProbabilities, place: () => placesIn(attention, frames, samplesPerFrame) }
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

/** The first token fills the cache of the sound; it stays unchanged after that. */
function nextCache(cache: Cache, outputs: InferenceSession.OnnxValueMapType, step: number): Cache {
  const entries = Object.entries(cache).map(([name, kept]) => {
    const renewed = step === 0 || name.includes('.decoder.')
    const present = name.replace(cachePrefix, 'present')
    return [name, renewed ? outputOf(outputs, present) : kept] as const
  })
  return Object.fromEntries(entries)
}

/** The attention of one step, one row for each head. */
function headsOf(
  outputs: InferenceSession.OnnxValueMapType,
  name: string,
  frames: number,
): Float32Array[] {
  const rows = floatData(outputs, name)
  const heads = Math.floor(rows.length / frames)
  return Array.from({ length: heads }, (_, head) => rows.slice(head * frames, (head + 1) * frames))
}
