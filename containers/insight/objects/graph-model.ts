import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'

const strings = z.object({ list: z.object({ s: z.array(z.base64()).optional() }) })
const integers = z.object({ list: z.object({ i: z.array(z.coerce.number()).optional() }) })

const node = z.object({
  name: z.string(),
  op: z.string(),
  input: z.array(z.string()).default([]),
  attr: z.object({ fused_ops: strings.optional(), strides: integers.optional() }).default({}),
})

const weight = z.object({
  name: z.string(),
  shape: z.array(z.int().min(0)),
  dtype: z.enum(['float32', 'int32']),
  quantization: z.object({ dtype: z.literal('float16') }).optional(),
})

const graphModel = z.object({
  modelTopology: z.object({ node: z.array(node) }),
  weightsManifest: z.tuple([z.object({ paths: z.tuple([z.string()]), weights: z.array(weight) })]),
})

export type GraphNode = {
  readonly name: string
  readonly op: string
  readonly inputs: readonly string[]
  readonly fused: readonly string[]
  readonly strides: readonly number[]
}

export type Weight = { readonly shape: readonly number[]; readonly values: Float32Array }

/** A TensorFlow.js graph model, as far as the conversion needs it. */
export type GraphModel = {
  readonly nodes: ReadonlyMap<string, GraphNode>
  readonly weights: ReadonlyMap<string, Weight>
}

export async function readGraphModel(file: string): Promise<GraphModel> {
  const { modelTopology, weightsManifest } = graphModel.parse(
    JSON.parse(await readFile(file, 'utf8')),
  )
  const [{ paths, weights }] = weightsManifest
  const bytes = await readFile(path.join(path.dirname(file), paths[0]))
  const nodes = modelTopology.node.map(({ name, op, input, attr }) => ({
    name,
    op,
    inputs: input,
    fused: (attr.fused_ops?.list.s ?? []).map((text) => Buffer.from(text, 'base64').toString()),
    strides: attr.strides?.list.i ?? [],
  }))
  return {
    nodes: new Map(nodes.map((each) => [each.name, each])),
    weights: readWeights(weights, bytes),
  }
}

function readWeights(list: readonly z.infer<typeof weight>[], bytes: Buffer): Map<string, Weight> {
  const weights = new Map<string, Weight>()
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  let at = 0
  for (const { name, shape, quantization, dtype } of list) {
    const count = shape.reduce((product, length) => product * length, 1)
    const size = quantization ? 2 : 4
    const values = new Float32Array(count)
    for (let i = 0; i < count; i++) {
      const place = at + i * size
      if (quantization) values[i] = view.getFloat16(place, true)
      else values[i] = dtype === 'int32' ? view.getInt32(place, true) : view.getFloat32(place, true)
    }
    weights.set(name, { shape, values })
    at += count * size
  }
  if (at !== bytes.length) throw new Error('The weights are not as many as the model says')
  return weights
}
