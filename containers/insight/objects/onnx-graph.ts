import { PbfWriter } from 'pbf'

export type OnnxTensor = { readonly dims: readonly number[]; readonly values: Float32Array }
type OnnxAttribute = number | string | readonly number[]
export type OnnxNode = {
  readonly op: string
  readonly inputs: readonly string[]
  readonly output: string
  readonly attributes: Readonly<Record<string, OnnxAttribute>>
}

export type OnnxGraph = {
  readonly nodes: readonly OnnxNode[]
  readonly constants: ReadonlyMap<string, OnnxTensor>
  /** A string names a dimension whose length may differ from run to run. */
  readonly inputs: ReadonlyMap<string, readonly (number | string)[]>
  readonly outputs: readonly string[]
}

const irVersion = 8
/** Version 13, because the axes of a mean are an attribute only up to 17. */
const opsetVersion = 13
const floatType = 1
const attributeTypes = { int: 2, string: 3, ints: 7 } as const

/** Encodes a model file; the field numbers are those of `onnx.proto`. */
export function encodeOnnx(graph: OnnxGraph): Uint8Array {
  const model = new PbfWriter()
  model.writeVarintField(1, irVersion)
  model.writeMessage(7, writeGraph, graph)
  model.writeMessage(8, (version, opset) => opset.writeVarintField(2, version), opsetVersion)
  return model.finish()
}

function writeGraph(graph: OnnxGraph, message: PbfWriter): void {
  for (const node of graph.nodes) message.writeMessage(1, writeNode, node)
  message.writeStringField(2, 'graph')
  for (const constant of graph.constants) message.writeMessage(5, writeTensor, constant)
  for (const input of graph.inputs) message.writeMessage(11, writeValue, input)
  for (const output of graph.outputs) message.writeMessage(12, writeValue, [output, undefined])
}

function writeNode(node: OnnxNode, message: PbfWriter): void {
  for (const input of node.inputs) message.writeStringField(1, input)
  message.writeStringField(2, node.output)
  message.writeStringField(4, node.op)
  for (const entry of Object.entries(node.attributes)) {
    message.writeMessage(5, writeAttribute, entry)
  }
}

function writeAttribute([name, value]: [string, OnnxAttribute], message: PbfWriter): void {
  message.writeStringField(1, name)
  if (typeof value === 'number') {
    message.writeVarintField(3, value)
    message.writeVarintField(20, attributeTypes.int)
  } else if (typeof value === 'string') {
    message.writeStringField(4, value)
    message.writeVarintField(20, attributeTypes.string)
  } else {
    for (const item of value) message.writeVarintField(8, item)
    message.writeVarintField(20, attributeTypes.ints)
  }
}

function writeTensor([name, { dims, values }]: [string, OnnxTensor], message: PbfWriter): void {
  for (const length of dims) message.writeVarintField(1, length)
  message.writeVarintField(2, floatType)
  message.writeStringField(8, name)
  message.writeBytesField(9, new Uint8Array(values.buffer, values.byteOffset, values.byteLength))
}

type Value = readonly [name: string, dims: readonly (number | string)[] | undefined]

function writeValue([name, dims]: Value, message: PbfWriter): void {
  message.writeStringField(1, name)
  message.writeMessage(2, writeType, dims)
}

function writeType(dims: Value[1], message: PbfWriter): void {
  message.writeMessage(1, writeTensorType, dims)
}

function writeTensorType(dims: Value[1], message: PbfWriter): void {
  message.writeVarintField(1, floatType)
  if (dims) message.writeMessage(2, writeShape, dims)
}

function writeShape(dims: readonly (number | string)[], message: PbfWriter): void {
  for (const length of dims) message.writeMessage(1, writeLength, length)
}

function writeLength(length: number | string, message: PbfWriter): void {
  if (typeof length === 'number') message.writeVarintField(1, length)
  else message.writeStringField(2, length)
}
