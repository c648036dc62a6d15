import { PbfReader, PbfWriter } from 'pbf'

/** Field numbers of the ONNX format that are read or written here, by message. */
const model = { graph: 7 }
const graph = { node: 1, output: 12 }
const node = { output: 2, opType: 4, attribute: 5 }
const attribute = { graph: 6 }
const valueInfo = { name: 1, type: 2 }
const typeProto = { tensorType: 1 }
const tensorType = { elementType: 1 }
const float32 = 1

const attentionName = /^\/model\/decoder\/layers\.(\d+)\/encoder_attn\/Softmax_output_0$/

export type ExposedModel = {
  readonly bytes: Uint8Array
  /** Names of the new outputs, from the first layer to the last. */
  readonly attention: readonly string[]
}

/**
 * The decoder computes which moment each token comes from, but does not output it. This makes its cross-attention an
 * output, in both branches of the merged model (with and without a cache). The weights are copied unchanged.
 */
export function exposeAttention(bytes: Uint8Array): ExposedModel {
  const layers = attentionLayers(bytes)
  const attention = layers.map((layer) => `attention.${layer}`)
  const exposed = rewrite(bytes, model.graph, (main) => {
    const branched = rewrite(main, graph.node, (entry) =>
      operatorOf(entry) === 'If' ? exposeBranches(entry, layers, attention) : entry,
    )
    return append(branched, graph.output, attention.map(floatValue))
  })
  return { bytes: exposed, attention }
}

function exposeBranches(
  entry: Uint8Array,
  layers: readonly number[],
  attention: readonly string[],
): Uint8Array {
  const inner = layers.map((layer) =>
    floatValue(`/model/decoder/layers.${layer}/encoder_attn/Softmax_output_0`),
  )
  const branches = rewrite(entry, node.attribute, (branch) =>
    rewrite(branch, attribute.graph, (body) => append(body, graph.output, inner)),
  )
  return append(
    branches,
    node.output,
    attention.map((name) => Buffer.from(name)),
  )
}

/** The layers whose attention every branch computes under the expected name. */
function attentionLayers(bytes: Uint8Array): number[] {
  const found: Set<number>[] = []
  visit(bytes, model.graph, (main) =>
    visit(main, graph.node, (entry) => {
      if (operatorOf(entry) !== 'If') return
      visit(entry, node.attribute, (branch) =>
        visit(branch, attribute.graph, (body) => found.push(layersIn(body))),
      )
    }),
  )
  const [first = new Set<number>(), ...others] = found
  return [...first]
    .filter((layer) => others.every((layers) => layers.has(layer)))
    .sort((a, b) => a - b)
}

function layersIn(body: Uint8Array): Set<number> {
  const layers = new Set<number>()
  visit(body, graph.node, (entry) =>
    visit(entry, node.output, (name) => {
      const layer = attentionName.exec(Buffer.from(name).toString())?.[1]
      if (layer !== undefined) layers.add(Number(layer))
    }),
  )
  return layers
}

function operatorOf(entry: Uint8Array): string {
  let operator = ''
  visit(entry, node.opType, (name) => {
    operator = Buffer.from(name).toString()
  })
  return operator
}

function visit(message: Uint8Array, field: number, each: (value: Uint8Array) => void): void {
  new PbfReader(message).readFields((tag, _, reader) => {
    if (tag === field) each(reader.readBytes())
  }, undefined)
}

/** Copies a message byte for byte, except for the values of one field, which are replaced. */
function rewrite(
  message: Uint8Array,
  field: number,
  replace: (value: Uint8Array) => Uint8Array,
): Uint8Array {
  const parts: Uint8Array[] = []
  let copied = 0
  let fieldStart = 0
  new PbfReader(message).readFields((tag, _, reader) => {
    if (tag === field) {
      parts.push(message.subarray(copied, fieldStart), ...fieldOf(tag, replace(reader.readBytes())))
      copied = reader.pos
    } else reader.skip(reader.type)
    fieldStart = reader.pos
  }, undefined)
  return Buffer.concat([...parts, message.subarray(copied)])
}

function append(message: Uint8Array, field: number, values: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat([message, ...values.flatMap((value) => fieldOf(field, value))])
}

function fieldOf(tag: number, value: Uint8Array): Uint8Array[] {
  const head = new PbfWriter()
  head.writeVarint((tag << 3) | 2)
  head.writeVarint(value.length)
  return [head.finish(), value]
}

function floatValue(name: string): Uint8Array {
  const value = new PbfWriter()
  value.writeStringField(valueInfo.name, name)
  value.writeMessage(
    valueInfo.type,
    (_, type) =>
      type.writeMessage(
        typeProto.tensorType,
        (__, tensor) => tensor.writeVarintField(tensorType.elementType, float32),
        undefined,
      ),
    undefined,
  )
  return value.finish()
}
