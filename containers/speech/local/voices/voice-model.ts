import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { showOutputs } from '../expose-attention.ts'
import { floatData, oneThread } from '../../../models/model-output.ts'
import { packagedModel } from '../moonshine/load-moonshine.ts'

/** The early layers of the recogniser still contain who speaks; the later ones only what is said. */
const layers = [1, 2, 3].map((n) => `/layers.${n}/Add_1_output_0`)

/** Describes the voice in a few seconds of sound, by means over its frames and then as many deviations from them. */
export type VoiceModel = { readonly print: (samples: Float32Array) => Promise<Float32Array> }

/** The encoder of the packaged recogniser up to its fourth layer, whichever recogniser transcribes. */
export async function loadVoiceModel(): Promise<VoiceModel> {
  const bytes = await readFile(path.join(packagedModel(), 'encoder_model.onnx'))
  const session = await InferenceSession.create(showOutputs(bytes, layers), oneThread)
  return {
    async print(samples) {
      const input = new Tensor('float32', samples, [1, samples.length])
      const outputs = await session.run({ input_values: input })
      const moments = layers.map((name) =>
        momentsOf(floatData(outputs, name), outputs[name]?.dims.at(-1) ?? 1),
      )
      return Float32Array.from([
        ...moments.flatMap(({ means }) => means),
        ...moments.flatMap(({ deviations }) => deviations),
      ])
    },
  }
}

/** The mean and the deviation of each value over all frames. */
function momentsOf(frames: Float32Array, size: number): { means: number[]; deviations: number[] } {
  const count = frames.length / size
  const sums = new Float64Array(size)
  const squares = new Float64Array(size)
  for (let i = 0; i < frames.length; i++) {
    const [value, at] = [frames[i] ?? 0, i % size]
    sums[at] = (sums[at] ?? 0) + value
    squares[at] = (squares[at] ?? 0) + value * value
  }
  const means = Array.from(sums, (sum) => sum / count)
  const deviations = means.map((mean, at) =>
    Math.sqrt(Math.max(0, (squares[at] ?? 0) / count - mean * mean)),
  )
  return { means, deviations }
}
