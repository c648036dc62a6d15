import { Tensor, type InferenceSession } from 'onnxruntime-node'

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

/** `end`: the token that says that nothing more is said. */
export function mostLikely(
  logits: Float32Array,
  end: number,
): { token: number; logProbability: number } {
  let token = -1
  let highest = Number.NEGATIVE_INFINITY
  for (let index = 0; index < logits.length; index++) {
    const logit = logits[index] ?? highest
    if (logit > highest) {
      highest = logit
      token = index
    }
  }
  // Every token is ruled out, so nothing more can be said.
  if (token < 0) return { token: end, logProbability: 0 }
  let sum = 0
  for (const logit of logits) sum += Math.exp(logit - highest)
  return { token, logProbability: -Math.log(sum) }
}
