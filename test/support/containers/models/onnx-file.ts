import { PbfWriter } from 'pbf'

/** Field numbers and types are those of `onnx.proto`. */
const types = { float: 1, int64: 7, bool: 9, float16: 10 } as const
type OnnxType = keyof typeof types

export type Weights = {
  readonly dims: readonly number[]
  readonly values: Float32Array | BigInt64Array | Float16Array
  /** Where the values are in a file beside the model, instead of in it. */
  readonly external?: { readonly file: string; readonly offset: number }
}
export type Value = {
  readonly type: OnnxType
  /** A string names a length that may differ from run to run. */
  readonly dims?: readonly (number | string)[]
}
type Attribute = number | readonly number[] | Graph
export type Node = {
  readonly op: string
  readonly name?: string
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  readonly attributes?: Readonly<Record<string, Attribute>>
}
export type Graph = {
  readonly nodes: readonly Node[]
  readonly weights?: Readonly<Record<string, Weights>>
  readonly inputs?: Readonly<Record<string, Value>>
  readonly outputs: Readonly<Record<string, Value>>
}

const irVersion = 8
const opsetVersion = 14

/** A model file as other programs write it: with branches, several types, and weights in another file. */
export function onnxFile(graph: Graph): Uint8Array {
  const model = new PbfWriter()
  model.writeVarintField(1, irVersion)
  model.writeMessage(7, writeGraph, graph)
  model.writeMessage(8, (version, opset) => opset.writeVarintField(2, version), opsetVersion)
  return model.finish()
}

function writeGraph(graph: Graph, message: PbfWriter): void {
  for (const node of graph.nodes) message.writeMessage(1, writeNode, node)
  message.writeStringField(2, 'graph')
  for (const entry of Object.entries(graph.weights ?? {}))
    message.writeMessage(5, writeTensor, entry)
  for (const entry of Object.entries(graph.inputs ?? {}))
    message.writeMessage(11, writeValue, entry)
  for (const entry of Object.entries(graph.outputs)) message.writeMessage(12, writeValue, entry)
}

function writeNode(node: Node, message: PbfWriter): void {
  for (const input of node.inputs) message.writeStringField(1, input)
  for (const output of node.outputs) message.writeStringField(2, output)
  if (node.name !== undefined) message.writeStringField(3, node.name)
  message.writeStringField(4, node.op)
  for (const entry of Object.entries(node.attributes ?? {})) {
    message.writeMessage(5, writeAttribute, entry)
  }
}

function writeAttribute([name, value]: [string, Attribute], message: PbfWriter): void {
  message.writeStringField(1, name)
  if (typeof value === 'number') {
    message.writeVarintField(3, value)
    message.writeVarintField(20, 2)
  } else if ('nodes' in value) {
    message.writeMessage(6, writeGraph, value)
    message.writeVarintField(20, 5)
  } else {
    for (const item of value) message.writeVarintField(8, item)
    message.writeVarintField(20, 7)
  }
}

function typeOf({ values }: Weights): OnnxType {
  if (values instanceof Float32Array) return 'float'
  return values instanceof BigInt64Array ? 'int64' : 'float16'
}

function writeTensor([name, weights]: [string, Weights], message: PbfWriter): void {
  const { dims, values, external } = weights
  for (const length of dims) message.writeVarintField(1, length)
  message.writeVarintField(2, types[typeOf(weights)])
  message.writeStringField(8, name)
  if (!external) {
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
    message.writeBytesField(9, bytes)
    return
  }
  const { file: location, offset } = external
  for (const entry of Object.entries({ location, offset, length: values.byteLength })) {
    message.writeMessage(13, writePair, entry)
  }
  message.writeVarintField(14, 1)
}

function writePair([key, value]: [string, string | number], message: PbfWriter): void {
  message.writeStringField(1, key)
  message.writeStringField(2, String(value))
}

function writeValue([name, value]: [string, Value], message: PbfWriter): void {
  message.writeStringField(1, name)
  message.writeMessage(2, (_, type) => type.writeMessage(1, writeTensorType, value), undefined)
}

function writeTensorType({ type, dims }: Value, message: PbfWriter): void {
  message.writeVarintField(1, types[type])
  if (dims) message.writeMessage(2, writeShape, dims)
}

function writeShape(dims: readonly (number | string)[], message: PbfWriter): void {
  for (const length of dims) message.writeMessage(1, writeLength, length)
}

function writeLength(length: number | string, message: PbfWriter): void {
  if (typeof length === 'number') message.writeVarintField(1, length)
  else message.writeStringField(2, length)
}
