import { Tensor } from 'onnxruntime-node'

/** The values of a tensor of either precision. */
export function floatsOf({ data, type }: Tensor): Float32Array {
  if (data instanceof Float32Array) return data
  if (data instanceof Float16Array) return Float32Array.from(data)
  throw new Error(`A tensor of ${type} does not hold numbers`)
}

/** The tensor as an input of a precision. */
export function asInput(tensor: Tensor, type: string): Tensor {
  if (type === 'float16') return halfInput(tensor)
  return tensor.type === 'float32' ? tensor : new Tensor('float32', floatsOf(tensor), tensor.dims)
}

/** The runtime takes half floats as the 16 bits that they are, and gives them as numbers. */
function halfInput(tensor: Tensor): Tensor {
  const { dims, data } = tensor
  const half = data instanceof Float16Array ? data : Float16Array.from(floatsOf(tensor))
  const bits = new Uint16Array(half.buffer, half.byteOffset, half.length)
  return Object.assign(new Tensor('float16', bits, dims), { cpuData: bits })
}
