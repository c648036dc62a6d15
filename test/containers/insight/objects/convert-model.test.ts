import '../../../../containers/models/model-thread.ts'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { describe, expect, it } from 'vitest'
import { convertModel } from '../../../../containers/insight/objects/convert-model.ts'
import type {
  GraphModel,
  GraphNode,
  Weight,
} from '../../../../containers/insight/objects/graph-model.ts'
import { encodeOnnx } from '../../../../containers/insight/objects/onnx-graph.ts'

const node = (name: string, op: string, inputs: string[], more: Partial<GraphNode> = {}) =>
  [name, { name, op, inputs, fused: [], strides: [1, 1, 1, 1], ...more }] as const
const weight = (name: string, shape: number[], values: number[]) =>
  [name, { shape, values: Float32Array.from(values) } satisfies Weight] as const

/** Runs a converted model on a picture of three channels, given row by row. */
async function run(model: GraphModel, height: number, planes: number[]) {
  const onnx = encodeOnnx(convertModel(model, { input: 'in', outputs: ['out'] }))
  const session = await InferenceSession.create(onnx)
  const width = planes.length / 3 / height
  const input = new Tensor('float32', Float32Array.from(planes), [1, 3, height, width])
  const { out: answer } = await session.run({ in: input })
  return { dims: answer?.dims, values: Array.from(answer?.data as Float32Array) }
}

describe('convertModel', () => {
  it('mixes channels, adds biases and cuts off values below zero, as the original does', async () => {
    const model = {
      nodes: new Map([
        node('out', '_FusedConv2D', ['in', 'kernel', 'bias'], { fused: ['BiasAdd', 'Relu'] }),
      ]),
      // Height, width, in, out: the second output is the first channel minus the third.
      weights: new Map([
        weight('kernel', [1, 1, 3, 2], [1, 1, 1, 0, 1, -1]),
        weight('bias', [2], [10, 0]),
      ]),
    }
    expect(await run(model, 1, [1, 2, 3, 4, 5, 1])).toEqual({
      dims: [1, 2, 1, 2],
      values: [1 + 3 + 5 + 10, 2 + 4 + 1 + 10, 0, 1],
    })
  })

  it('treats each channel by itself in a depthwise step, halving where it strides', async () => {
    const model = {
      nodes: new Map([
        node('out', 'DepthwiseConv2dNative', ['in', 'kernel'], { strides: [1, 2, 2, 1] }),
      ]),
      weights: new Map([weight('kernel', [1, 1, 3, 1], [1, 10, 100])]),
    }
    const { dims, values } = await run(model, 2, [1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4])
    expect({ dims, values }).toEqual({ dims: [1, 3, 1, 1], values: [1, 10, 100] })
  })

  it('doubles a picture and joins channels', async () => {
    const model = {
      nodes: new Map([
        node('twice', 'ResizeBilinear', ['in', 'size']),
        node('out', 'ConcatV2', ['twice', 'twice', 'axis']),
      ]),
      weights: new Map([weight('size', [2], [2, 4]), weight('axis', [], [3])]),
    }
    const { dims, values } = await run(model, 1, [0, 4, 1, 1, 2, 2])
    expect(dims).toEqual([1, 6, 2, 4])
    expect(values.slice(0, 4)).toEqual([0, 2, 4, 4])
  })

  it('refuses operations that it does not know', () => {
    const strange = { nodes: new Map([node('out', 'Einsum', ['in'])]), weights: new Map() }
    const wish = { input: 'in', outputs: ['out'] }
    expect(() => convertModel(strange, wish)).toThrow('The operation "Einsum" is unknown')
    expect(() => convertModel({ nodes: new Map(), weights: new Map() }, wish)).toThrow('no node')
  })
})
