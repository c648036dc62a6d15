import { PbfReader, PbfWriter } from 'pbf'

/** Field numbers of the ONNX format that are read or written here, by message. */
export const model = { graph: 7, opset: 8 }
export const graph = { node: 1, initializer: 5, output: 12 }
export const node = { input: 1, output: 2, opType: 4, attribute: 5, domain: 7 }
export const attribute = { graph: 6 }
export const tensor = { dims: 1, type: 2, name: 8, bytes: 9 }
export const opset = { domain: 1, version: 2 }
export const valueInfo = { name: 1 }

export function operatorOf(entry: Uint8Array): string {
  return textsOf(entry, node.opType)[0] ?? ''
}

/** The texts in a field of a message. */
export function textsOf(message: Uint8Array, field: number): string[] {
  const texts: string[] = []
  visit(message, field, (text) => texts.push(Buffer.from(text).toString()))
  return texts
}

/** Rewrites the branches of each `If` of a model. */
export function rewriteBranches(
  main: Uint8Array,
  replace: (branch: Uint8Array) => Uint8Array,
  after: (entry: Uint8Array) => Uint8Array = (entry) => entry,
): Uint8Array {
  return rewrite(main, graph.node, (entry) => {
    if (operatorOf(entry) !== 'If') return entry
    return after(
      rewrite(entry, node.attribute, (value) => rewrite(value, attribute.graph, replace)),
    )
  })
}

export function visit(message: Uint8Array, field: number, each: (value: Uint8Array) => void): void {
  new PbfReader(message).readFields((tag, _, reader) => {
    if (tag === field) each(reader.readBytes())
  }, undefined)
}

/** Copies a message byte for byte, except for the values of one field, which are replaced, or left out. */
export function rewrite(
  message: Uint8Array,
  field: number,
  replace: (value: Uint8Array) => Uint8Array | undefined,
): Uint8Array {
  const parts: Uint8Array[] = []
  let copied = 0
  let fieldStart = 0
  new PbfReader(message).readFields((tag, _, reader) => {
    if (tag === field) {
      const value = replace(reader.readBytes())
      parts.push(message.subarray(copied, fieldStart), ...(value ? fieldOf(tag, value) : []))
      copied = reader.pos
    } else reader.skip(reader.type)
    fieldStart = reader.pos
  }, undefined)
  return Buffer.concat([...parts, message.subarray(copied)])
}

export function append(
  message: Uint8Array,
  field: number,
  values: readonly Uint8Array[],
): Uint8Array {
  return Buffer.concat([message, ...values.flatMap((value) => fieldOf(field, value))])
}

export function fieldOf(tag: number, value: Uint8Array): Uint8Array[] {
  const head = new PbfWriter()
  head.writeVarint((tag << 3) | 2)
  head.writeVarint(value.length)
  return [head.finish(), value]
}
