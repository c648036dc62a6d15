import type { GraphModel, GraphNode, Weight } from './graph-model.ts'
import type { OnnxGraph, OnnxNode, OnnxTensor } from './onnx-graph.ts'

/**
 * Converts a TensorFlow.js graph to ONNX: channels come second instead of last, and pictures may have any size. It
 * supports the operations of convolutional networks for pictures and refuses others.
 */
export function convertModel(
  model: GraphModel,
  { input, outputs }: { input: string; outputs: readonly string[] },
): OnnxGraph {
  const conversion = { model, nodes: [], constants: new Map(), done: new Set([input]) }
  for (const output of outputs) convertNode(conversion, output)
  return {
    nodes: conversion.nodes,
    constants: conversion.constants,
    inputs: new Map([[input, [1, 3, 'height', 'width']]]),
    outputs,
  }
}

type Conversion = {
  readonly model: GraphModel
  readonly nodes: OnnxNode[]
  readonly constants: Map<string, OnnxTensor>
  readonly done: Set<string>
}

/** Converts a node after its inputs. */
function convertNode(conversion: Conversion, name: string): void {
  const { model, done } = conversion
  if (done.has(name)) return
  done.add(name)
  const node = model.nodes.get(name)
  if (!node) throw new Error(`The model has no node "${name}"`)
  for (const each of node.inputs) if (!model.weights.has(each)) convertNode(conversion, each)
  convertOperation(conversion, node)
}

/** Operations that work the same in both formats, with their ONNX names. */
const sameOps: Readonly<Record<string, string>> = {
  Mul: 'Mul',
  Add: 'Add',
  AddV2: 'Add',
  Relu: 'Relu',
  Sigmoid: 'Sigmoid',
  Identity: 'Identity',
}

type Converter = (conversion: Conversion, node: GraphNode) => void

const converters: Readonly<Record<string, Converter>> = {
  _FusedConv2D: (conversion, node) => addConvolution(conversion, node, { isDepthwise: false }),
  Conv2D: (conversion, node) => addConvolution(conversion, node, { isDepthwise: false }),
  FusedDepthwiseConv2dNative: (conversion, node) =>
    addConvolution(conversion, node, { isDepthwise: true }),
  DepthwiseConv2dNative: (conversion, node) =>
    addConvolution(conversion, node, { isDepthwise: true }),
  Relu6: addClip,
  Prelu: addSlopes,
  MaxPool: addMaxPool,
  Pad: addChannels,
  Mean: addMean,
  ConcatV2: addConcat,
  ResizeBilinear: addDoubling,
}

function convertOperation(conversion: Conversion, node: GraphNode): void {
  const same = sameOps[node.op]
  if (same !== undefined) {
    const inputs = node.inputs.map((name) => valueOf(conversion, name))
    conversion.nodes.push({ op: same, inputs, output: node.name, attributes: {} })
    return
  }
  const convert = converters[node.op]
  if (!convert) throw new Error(`The operation "${node.op}" is unknown`)
  convert(conversion, node)
}

function addClip(conversion: Conversion, { name, inputs: [input = ''] }: GraphNode): void {
  const inputs = [input, scalar(conversion, 0), scalar(conversion, 6)]
  conversion.nodes.push({ op: 'Clip', inputs, output: name, attributes: {} })
}

/** One slope for each channel, for values below zero. */
function addSlopes(
  { model, nodes, constants }: Conversion,
  { name, inputs: [input = '', slopes = ''] }: GraphNode,
): void {
  const { values } = weightOf(model, slopes)
  constants.set(slopes, { dims: [values.length, 1, 1], values })
  nodes.push({ op: 'PRelu', inputs: [input, slopes], output: name, attributes: {} })
}

/** The attributes of the node are not read, because networks for pictures only ever halve in this way. */
function addMaxPool(conversion: Conversion, { name, inputs, strides }: GraphNode): void {
  const [, down = 1, across = 1] = strides
  if (down !== 2 || across !== 2) throw new Error(`"${name}" does not halve`)
  const attributes = { kernel_shape: [2, 2], strides: [2, 2], auto_pad: 'SAME_UPPER' }
  conversion.nodes.push({ op: 'MaxPool', inputs, output: name, attributes })
}

/** Adds channels of zeros behind the others; in this kind of network always as many as there are. */
function addChannels(
  conversion: Conversion,
  { name, inputs: [input = '', paddings = ''] }: GraphNode,
): void {
  const { values } = weightOf(conversion.model, paddings)
  expectValues(conversion, paddings, [0, 0, 0, 0, 0, 0, 0, values.at(-1) ?? 0])
  const zeros = `${name}/zeros`
  const inputs = [input, scalar(conversion, 0)]
  conversion.nodes.push(
    { op: 'Mul', inputs, output: zeros, attributes: {} },
    { op: 'Concat', inputs: [input, zeros], output: name, attributes: { axis: 1 } },
  )
}

function addMean(
  conversion: Conversion,
  { name, inputs: [input = '', axes = ''] }: GraphNode,
): void {
  expectValues(conversion, axes, [1, 2])
  const attributes = { axes: [2, 3], keepdims: 1 }
  conversion.nodes.push({ op: 'ReduceMean', inputs: [input], output: name, attributes })
}

function addConcat(conversion: Conversion, { name, inputs }: GraphNode): void {
  expectValues(conversion, inputs.at(-1) ?? '', [3])
  const parts = inputs.slice(0, -1)
  conversion.nodes.push({ op: 'Concat', inputs: parts, output: name, attributes: { axis: 1 } })
}

/**
 * The node names an absolute size, which fits only one size of picture; in this kind of network it always means
 * doubling.
 */
function addDoubling(conversion: Conversion, { name, inputs: [input = ''] }: GraphNode): void {
  const factors = { dims: [4], values: Float32Array.of(1, 1, 2, 2) }
  const inputs = [input, '', constant(conversion, 'doubled', factors)]
  const attributes = { mode: 'linear', coordinate_transformation_mode: 'asymmetric' }
  conversion.nodes.push({ op: 'Resize', inputs, output: name, attributes })
}

function addConvolution(
  conversion: Conversion,
  node: GraphNode,
  { isDepthwise }: { isDepthwise: boolean },
): void {
  const { model, nodes, constants } = conversion
  const [input = '', weights = ''] = node.inputs
  const activation = node.fused.find((name) => name !== 'BiasAdd')
  const slopes = activation === 'Prelu' ? node.inputs.at(-1) : undefined
  const bias = node.inputs.slice(2).find((name) => name !== slopes)
  const kernel = weightOf(model, weights)
  constants.set(weights, isDepthwise ? depthwiseKernel(kernel) : plainKernel(kernel))
  if (bias !== undefined) {
    const { shape, values } = weightOf(model, bias)
    constants.set(bias, { dims: shape, values })
  }
  const [height = 1, width = 1, channels = 1] = kernel.shape
  const [, down = 1, across = 1] = node.strides
  const output = activation === undefined ? node.name : `${node.name}/raw`
  nodes.push({
    op: 'Conv',
    inputs: [input, weights, ...(bias === undefined ? [] : [bias])],
    output,
    attributes: {
      kernel_shape: [height, width],
      strides: [down, across],
      auto_pad: 'SAME_UPPER',
      group: isDepthwise ? channels : 1,
    },
  })
  if (slopes !== undefined) addSlopes(conversion, { ...node, inputs: [output, slopes] })
  else if (activation === 'Relu')
    nodes.push({ op: 'Relu', inputs: [output], output: node.name, attributes: {} })
  else if (activation !== undefined)
    throw new Error(`A convolution ends in "${activation}", which is unknown`)
}

/** Height, width, in, out → out, in, height, width. */
function plainKernel({ shape, values }: Weight): OnnxTensor {
  const [height = 1, width = 1, inputs = 1, outputs = 1] = shape
  const turned = new Float32Array(values.length)
  const area = height * width
  values.forEach((value, i) => {
    const out = i % outputs
    const into = Math.floor(i / outputs) % inputs
    turned[(out * inputs + into) * area + Math.floor(i / outputs / inputs)] = value
  })
  return { dims: [outputs, inputs, height, width], values: turned }
}

/** Height, width, channel, one → channel, one, height, width. */
function depthwiseKernel({ shape, values }: Weight): OnnxTensor {
  const [height = 1, width = 1, channels = 1, each = 1] = shape
  if (each !== 1) throw new Error('A depthwise convolution multiplies its channels')
  const { values: turned } = plainKernel({ shape: [height, width, 1, channels], values })
  return { dims: [channels, 1, height, width], values: turned }
}

/** The name of a node's result, or of a number written into the model. */
function valueOf({ model, constants }: Conversion, name: string): string {
  const weight = model.weights.get(name)
  if (!weight) return name
  if (weight.shape.length > 0) throw new Error(`"${name}" is more than a number`)
  constants.set(name, { dims: [], values: weight.values })
  return name
}

function scalar(conversion: Conversion, value: number): string {
  return constant(conversion, `number ${value}`, { dims: [], values: Float32Array.of(value) })
}

function constant({ constants }: Conversion, name: string, tensor: OnnxTensor): string {
  constants.set(name, tensor)
  return name
}

function weightOf(model: GraphModel, name: string): Weight {
  const weight = model.weights.get(name)
  if (!weight) throw new Error(`The model has no weights "${name}"`)
  return weight
}

function expectValues({ model }: Conversion, name: string, expected: readonly number[]): void {
  const { values } = weightOf(model, name)
  if (values.length === expected.length && expected.every((value, i) => values[i] === value)) return
  throw new Error(`"${name}" is not ${expected.join(', ')}`)
}
