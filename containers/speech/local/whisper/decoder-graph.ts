import { Tensor, type InferenceSession } from 'onnxruntime-node'
import { outputOf } from '../../../models/model-output.ts'
import { ModelFault } from '../model-fault.ts'
import { asInput, floatsOf } from './half-floats.ts'

/** A loaded graph, and its outputs that are cross-attention, from the first layer to the last. */
export type LoadedGraph = {
  readonly file: string
  readonly session: InferenceSession
  readonly attention: readonly string[]
}

/** The graph that reads the first tokens, and the one that goes on from its cache, which may be the same. */
export type DecoderGraphs = { readonly first: LoadedGraph; readonly next: LoadedGraph | undefined }

/** The shape of a cache, where the graph does not say it. */
type CacheShape = { readonly heads: number | undefined; readonly size: number | undefined }

/** The answer to the tokens of one step. */
export type StepAnswer = {
  /** The scores of every token after the first and after the last token of the step; absent for the first if unknown. */
  readonly afterFirst: Float32Array | undefined
  readonly afterLast: Float32Array
  /** By layer and head: how much attention the last token gave to each frame. */
  readonly attention: readonly (readonly Float32Array[])[]
  /** The text with these tokens. */
  readonly run: DecoderRun
}

/** The tokens to read, and how many are known with them. */
type DecoderStep = {
  readonly tokens: readonly number[]
  readonly known: number
  readonly isFirst: boolean
}

const past = /^past_key_values\.(.+)$/

type DecoderInput = {
  readonly tokens: readonly number[]
  readonly cache: ReadonlyMap<string, Tensor>
}

/** The beginning of a text, which may go on in several ways: keeps the cache of the decoder. */
export class DecoderRun {
  readonly #graphs: DecoderGraphs
  readonly #heard: Tensor
  readonly #shape: CacheShape
  readonly #frames: number
  readonly #before: DecoderInput

  constructor(
    graphs: DecoderGraphs,
    heard: Tensor,
    shape: CacheShape,
    before: DecoderInput = { tokens: [], cache: new Map() },
  ) {
    this.#graphs = graphs
    this.#heard = heard
    this.#shape = shape
    this.#frames = heard.dims[1] ?? 0
    this.#before = before
  }

  async feed(added: readonly number[]): Promise<StepAnswer> {
    const { first, next } = this.#graphs
    const isFirst = this.#before.tokens.length === 0
    const tokens = [...this.#before.tokens, ...added]
    const graph = isFirst ? first : (next ?? first)
    // Without a cache the decoder reads the whole text again.
    const read = isFirst || next ? added : tokens
    const wanted = new Map(next ? presentsOf(graph, next) : [])
    const step = { tokens: read, known: tokens.length, isFirst }
    const outputs = await graph.session.run(this.#feeds(graph, step), [
      'logits',
      ...wanted.values(),
      ...graph.attention,
    ])
    const cache = new Map(this.#before.cache)
    for (const [input, output] of wanted) {
      // What the decoder knows of the sound comes with the first step, and stays.
      if (isFirst || !input.includes('.encoder.')) cache.set(input, outputOf(outputs, output))
    }
    const logits = outputOf(outputs, 'logits')
    return {
      afterFirst: isFirst && logits.dims[1] === read.length ? rowOf(logits, 0) : undefined,
      afterLast: rowOf(logits, -1),
      attention: graph.attention.map((name) => this.#headsOf(outputOf(outputs, name))),
      run: new DecoderRun(this.#graphs, this.#heard, this.#shape, { tokens, cache }),
    }
  }

  #feeds(graph: LoadedGraph, step: DecoderStep): Record<string, Tensor> {
    return Object.fromEntries(
      graph.session.inputMetadata.map((input) => {
        if (!input.isTensor) throw unknownInput(graph, input.name)
        return [input.name, this.#feed(graph, input, step)] as const
      }),
    )
  }

  #feed(
    graph: LoadedGraph,
    { name, type, shape }: Extract<InferenceSession.ValueMetadata, { isTensor: true }>,
    { tokens, known, isFirst }: DecoderStep,
  ): Tensor {
    if (past.test(name))
      return asInput(this.#before.cache.get(name) ?? this.#empty(graph, name, shape), type)
    switch (name) {
      case 'input_ids':
      case 'decoder_input_ids':
        return integers(tokens, type, [1, tokens.length])
      case 'encoder_hidden_states':
        return asInput(this.#heard, type)
      case 'use_cache_branch':
        return new Tensor('bool', Uint8Array.of(isFirst ? 0 : 1), [1])
      case 'attention_mask':
      case 'decoder_attention_mask':
        return integers(Array<number>(known).fill(1), type, [1, known])
      case 'encoder_attention_mask':
        return integers(Array<number>(this.#frames).fill(1), type, [1, this.#frames])
      case 'cache_position':
        return integers(positions(known, tokens.length), type, [tokens.length])
      case 'position_ids':
      case 'decoder_position_ids':
        return integers(positions(known, tokens.length), type, [1, tokens.length])
      default:
        throw unknownInput(graph, name)
    }
  }

  #empty(graph: LoadedGraph, name: string, shape: readonly (number | string)[]): Tensor {
    const [heads = this.#shape.heads, size = this.#shape.size] = [shape[1], shape[3]].map(
      (length) => (typeof length === 'number' && length > 0 ? length : undefined),
    )
    if (heads === undefined || size === undefined) {
      throw new ModelFault(`${graph.file} does not say the shape of ${name}, nor does config.json`)
    }
    return new Tensor('float32', new Float32Array(0), [1, heads, 0, size])
  }

  /** The last row of each head, if the output is an attention to the sound at all. */
  #headsOf(attention: Tensor): Float32Array[] {
    const frames = attention.dims.at(-1) ?? 0
    const rows = attention.dims.at(-2) ?? 0
    if (frames !== this.#frames || rows === 0) return []
    const values = floatsOf(attention)
    return Array.from({ length: Math.floor(values.length / (rows * frames)) }, (_, head) => {
      const from = (head * rows + rows - 1) * frames
      return values.subarray(from, from + frames)
    })
  }
}

/** Which output becomes which input of the next step. */
function* presentsOf(graph: LoadedGraph, next: LoadedGraph): Generator<[string, string]> {
  const { outputNames } = graph.session
  for (const input of next.session.inputNames) {
    const rest = past.exec(input)?.[1]
    if (rest === undefined) continue
    const output = [`present.${rest}`, `present_key_values.${rest}`].find((name) =>
      outputNames.includes(name),
    )
    if (output !== undefined) yield [input, output]
    else if (graph !== next) throw new ModelFault(`${graph.file} has no output present.${rest}`)
  }
}

function rowOf(logits: Tensor, row: number): Float32Array {
  const size = logits.dims.at(-1) ?? 0
  const values = floatsOf(logits)
  const from = row < 0 ? values.length - size : row * size
  return values.slice(from, from + size)
}

function integers(values: readonly number[], type: string, dims: readonly number[]): Tensor {
  return type === 'int32'
    ? new Tensor('int32', Int32Array.from(values), dims)
    : new Tensor('int64', BigInt64Array.from(values, BigInt), dims)
}

const positions = (known: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => known - count + i)

function unknownInput(graph: LoadedGraph, name: string): ModelFault {
  return new ModelFault(`${graph.file} asks for an input ${name}, which is not known`)
}
