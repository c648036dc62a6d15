import { PbfReader, PbfWriter } from 'pbf'
import {
  append,
  fieldOf,
  graph,
  model,
  node,
  operatorOf,
  opset,
  rewrite,
  rewriteBranches,
  tensor,
  textsOf,
  visit,
} from '../onnx-edit.ts'

/** The step that multiplies the decoder's state with the weights of all pieces of words, and the steps before it. */
type Head = {
  readonly product: string
  readonly ready: ReadonlySet<string>
  /** The state; and the weights with their scale and zero point. */
  readonly inputs: readonly [meaning: string, weights: string, scale: string, zero: string]
}

/**
 * A decoder compares its state with each of 32,768 pieces of words. The packaged one stores their weights as whole numbers, and
 * transposes all of them and converts them to fractions again for each piece: a third of its work. Here they are transposed
 * once, and compared as whole numbers, as in all its other layers. A model without such a step stays as it is.
 */
export function compareInWholeNumbers(bytes: Uint8Array): Uint8Array {
  const heads = new Map<string, StoredTensor | undefined>()
  const branched = rewrite(bytes, model.graph, (main) =>
    rewriteBranches(main, (branch) => {
      const head = headOf(branch)
      if (!head) return branch
      const [, weights] = head.inputs
      if (!heads.has(weights)) heads.set(weights, storedIn(main, weights))
      return withHead(branch, head)
    }),
  )
  const [stored, ...others] = heads.values()
  if (!stored || others.length > 0) return bytes
  // A reader merges a field that comes twice, so the added weights join the graph.
  const added = append(new Uint8Array(), graph.initializer, [turnedAround(stored)])
  return Buffer.concat([
    branched,
    ...fieldOf(model.graph, added),
    ...fieldOf(model.opset, runtimeOperators()),
  ])
}

function headOf(branch: Uint8Array): Head | undefined {
  const makers = new Map<string, Uint8Array>()
  visit(branch, graph.node, (entry) => {
    for (const output of textsOf(entry, node.output)) makers.set(output, entry)
  })
  const inputsOf = (name: string, operator: string): string[] => {
    const maker = makers.get(name)
    return maker && operatorOf(maker) === operator ? textsOf(maker, node.input) : []
  }
  for (const product of makers.keys()) {
    const [meaning, fractions = ''] = inputsOf(product, 'MatMul')
    const [turned = '', scale, zero] = inputsOf(fractions, 'DequantizeLinear')
    const [weights] = inputsOf(turned, 'Transpose')
    if (meaning === undefined || scale === undefined || zero === undefined) continue
    if (weights === undefined) continue
    return { product, ready: new Set([fractions, turned]), inputs: [meaning, weights, scale, zero] }
  }
  return undefined
}

const turnedName = 'weights turned around'
/** Operators of the runtime itself; this one is what it makes of all other layers. */
const runtimeDomain = 'com.microsoft'
const wholeProduct = 'DynamicQuantizeMatMul'

function withHead(branch: Uint8Array, { product, ready, inputs }: Head): Uint8Array {
  const [meaning, , scale, zero] = inputs
  return rewrite(branch, graph.node, (entry) => {
    const [output = ''] = textsOf(entry, node.output)
    if (ready.has(output)) return undefined
    if (output !== product) return entry
    const written = new PbfWriter()
    for (const input of [meaning, turnedName, scale, zero]) {
      written.writeStringField(node.input, input)
    }
    written.writeStringField(node.output, product)
    written.writeStringField(node.opType, wholeProduct)
    written.writeStringField(node.domain, runtimeDomain)
    return written.finish()
  })
}

function runtimeOperators(): Uint8Array {
  const written = new PbfWriter()
  written.writeStringField(opset.domain, runtimeDomain)
  written.writeVarintField(opset.version, 1)
  return written.finish()
}

type StoredTensor = {
  readonly type: number
  readonly dims: readonly number[]
  readonly bytes: Uint8Array
}

function storedIn(main: Uint8Array, name: string): StoredTensor | undefined {
  let stored: StoredTensor | undefined
  visit(main, graph.initializer, (entry) => {
    if (textsOf(entry, tensor.name)[0] !== name) return
    let type = 0
    let bytes: Uint8Array = new Uint8Array()
    const dims: number[] = []
    new PbfReader(entry).readFields((tag, _, reader) => {
      if (tag === tensor.type) type = reader.readVarint()
      else if (tag === tensor.bytes) bytes = reader.readBytes()
      else if (tag === tensor.dims) reader.readPackedVarint(dims)
      else reader.skip(reader.type)
    }, undefined)
    const [rows = 0, columns = 0, ...others] = dims
    if (others.length === 0 && bytes.length === rows * columns) stored = { type, dims, bytes }
  })
  return stored
}

function turnedAround({ type, dims: [rows = 0, columns = 0], bytes }: StoredTensor): Uint8Array {
  const turned = new Uint8Array(bytes.length)
  // Taken a few rows at a time, which fit into the processor's cache.
  for (let first = 0; first < rows; first += 64) {
    const end = Math.min(rows, first + 64)
    for (let column = 0; column < columns; column++) {
      for (let row = first; row < end; row++) {
        turned[column * rows + row] = bytes[row * columns + column] ?? 0
      }
    }
  }
  const written = new PbfWriter()
  written.writePackedVarint(tensor.dims, [columns, rows])
  written.writeVarintField(tensor.type, type)
  written.writeStringField(tensor.name, turnedName)
  written.writeBytesField(tensor.bytes, turned)
  return written.finish()
}
