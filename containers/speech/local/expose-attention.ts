import { PbfWriter } from 'pbf'
import {
  append,
  attribute,
  graph,
  model,
  node,
  operatorOf,
  rewrite,
  rewriteBranches,
  textsOf,
  valueInfo,
  visit,
} from './onnx-edit.ts'

/** How exporters name the attention that goes from the text to the sound. */
const crossAttention = /(?:encoder_attn|encdecattention|cross_?att)/i
const layerNumber = /(?:layers?|blocks?)[._/](\d+)/i

type ExposedModel = {
  readonly bytes: Uint8Array
  /** Names of the new outputs, from the first layer to the last. */
  readonly attention: readonly string[]
}

/**
 * The decoder computes which moment each token comes from, but does not output it. This makes its cross-attention an
 * output: of the graph itself, or of both branches of a merged model (with and without a cache). The weights are copied
 * unchanged. Without an attention that every branch computes, nothing changes.
 */
export function exposeAttention(bytes: Uint8Array): ExposedModel {
  const bodies = bodiesOf(bytes)
  const [own = [], ...branches] = bodies.map(attentionIn)
  if (own.length > 0) return exposeOwn(bytes, own)
  const [first = []] = branches
  const isShared = branches.every(({ length }) => length === first.length)
  if (first.length === 0 || !isShared) return { bytes, attention: [] }
  return exposeBranches(bytes, branches)
}

/** The same model with these tensors of its main graph as its only outputs: what none of them needs is not computed. */
export function showOutputs(bytes: Uint8Array, names: readonly string[]): Uint8Array {
  return rewrite(bytes, model.graph, (main) =>
    append(
      rewrite(main, graph.output, () => undefined),
      graph.output,
      names.map(untyped),
    ),
  )
}

function exposeOwn(bytes: Uint8Array, names: readonly string[]): ExposedModel {
  const exposed = rewrite(bytes, model.graph, (main) =>
    append(main, graph.output, names.map(untyped)),
  )
  return { bytes: exposed, attention: names }
}

function exposeBranches(bytes: Uint8Array, branches: readonly (readonly string[])[]): ExposedModel {
  const attention = (branches[0] ?? []).map((_, layer) => `attention.${layer}`)
  let next = 0
  const names = attention.map((name) => Buffer.from(name))
  const exposed = rewrite(bytes, model.graph, (main) => {
    const branched = rewriteBranches(
      main,
      (body) => append(body, graph.output, (branches[next++] ?? []).map(untyped)),
      (entry) => append(entry, node.output, names),
    )
    return append(branched, graph.output, attention.map(untyped))
  })
  return { bytes: exposed, attention }
}

/** The main graph, then the branches of each `If` in it. */
function bodiesOf(bytes: Uint8Array): Uint8Array[] {
  const bodies: Uint8Array[] = []
  visit(bytes, model.graph, (main) => {
    bodies.push(main)
    visit(main, graph.node, (entry) => {
      if (operatorOf(entry) !== 'If') return
      visit(entry, node.attribute, (branch) =>
        visit(branch, attribute.graph, (body) => bodies.push(body)),
      )
    })
  })
  return bodies
}

/** The outputs of a graph that are its cross-attention, by layer. */
function attentionIn(body: Uint8Array): string[] {
  const all: string[] = []
  visit(body, graph.node, (entry) => {
    if (operatorOf(entry) === 'Softmax') all.push(...textsOf(entry, node.output))
  })
  const named = all.filter((name) => crossAttention.test(name))
  if (named.length === 0) {
    // Each layer of a decoder attends to the text first, then to the sound.
    return all.length % 2 === 0 ? all.filter((_, i) => i % 2 === 1) : []
  }
  const layerOf = (name: string): number => Number(layerNumber.exec(name)?.[1] ?? 0)
  return named.sort((a, b) => layerOf(a) - layerOf(b))
}

/** The runtime finds the type by itself. */
function untyped(name: string): Uint8Array {
  const value = new PbfWriter()
  value.writeStringField(valueInfo.name, name)
  return value.finish()
}
