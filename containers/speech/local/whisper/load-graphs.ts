import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { exposeAttention } from '../expose-attention.ts'
import { loadSession } from '../load-session.ts'
import { ModelFault } from '../model-fault.ts'
import type { DecoderGraphs, LoadedGraph } from './decoder-graph.ts'
import type { GraphFiles } from './graph-files.ts'
import { undefinedOn } from '../../../errors/unless.ts'

export type WhisperGraphs = {
  readonly encoder: LoadedGraph
  readonly decoder: DecoderGraphs
}

export async function loadGraphs({ encoder, decoder }: GraphFiles): Promise<WhisperGraphs> {
  const hearing = await loadGraph(encoder)
  requireNames(hearing, ['input_features'], [])
  if ('merged' in decoder) {
    const graph = await loadDecoder(decoder.merged)
    requireNames(graph, [], ['logits'])
    return {
      encoder: hearing,
      decoder: { first: graph, next: keepsCache(graph) ? graph : undefined },
    }
  }
  const first = await loadDecoder(decoder.first)
  requireNames(first, ['encoder_hidden_states'], ['logits'])
  const next = decoder.next === undefined ? undefined : await loadDecoder(decoder.next)
  if (next) requireNames(next, [], ['logits'])
  return { encoder: hearing, decoder: { first, next } }
}

const keepsCache = ({ session }: LoadedGraph): boolean =>
  session.inputNames.some((name) => name.startsWith('past_key_values.'))

/** A graph file cannot be larger; a larger model keeps its weights in other files. */
const largestToChange = 2 ** 31 - 1

const published = /^cross_attentions\.(\d+)$/

/** Some exports output their attention; in the others it is made an output. */
async function loadDecoder(file: string): Promise<LoadedGraph> {
  const plain = await loadGraph(file)
  const own = plain.session.outputNames.filter((name) => published.test(name))
  if (own.length > 0) {
    const layerOf = (name: string): number => Number(published.exec(name)?.[1])
    return { ...plain, attention: own.sort((a, b) => layerOf(a) - layerOf(b)) }
  }
  const exposed = await expose(file)
  if (!exposed) return plain
  await plain.session.release()
  return exposed
}

/** Undefined if the graph does not compute such an attention, is too large to be changed, or cannot be run like that. */
async function expose(file: string): Promise<LoadedGraph | undefined> {
  const { size } = await stat(file)
  if (size > largestToChange) return undefined
  const { bytes, attention } = exposeAttention(await readFile(file))
  if (attention.length === 0) return undefined
  const session = await loadSession(file, bytes).catch(undefinedOn(ModelFault))
  return session && { file: path.basename(file), session, attention }
}

async function loadGraph(file: string): Promise<LoadedGraph> {
  return { file: path.basename(file), session: await loadSession(file), attention: [] }
}

function requireNames(
  { file, session }: LoadedGraph,
  inputs: readonly string[],
  outputs: readonly string[],
): void {
  for (const name of inputs) {
    if (!session.inputNames.includes(name)) throw new ModelFault(`${file} has no input ${name}`)
  }
  for (const name of outputs) {
    if (!session.outputNames.includes(name)) throw new ModelFault(`${file} has no output ${name}`)
  }
}
