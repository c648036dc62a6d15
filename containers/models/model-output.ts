import { Tensor, type InferenceSession } from 'onnxruntime-node'

/** One thread, which leaves the other cores to ffmpeg and other jobs. */
export const oneThread: InferenceSession.SessionOptions = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
}

/** Returns an output of a model; throws if it is missing, because the model then does not have the documented form. */
export function outputOf(outputs: InferenceSession.OnnxValueMapType, name: string): Tensor {
  const output = outputs[name]
  if (!(output instanceof Tensor)) throw new Error(`The model has no output ${name}`)
  return output
}

export function floatData(outputs: InferenceSession.OnnxValueMapType, name: string): Float32Array {
  const { data } = outputOf(outputs, name)
  if (!(data instanceof Float32Array)) throw new Error(`The output ${name} is not of float32`)
  return data
}
