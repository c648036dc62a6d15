import { Tensor, type InferenceSession } from 'onnxruntime-node'
import { floatData, outputOf } from './model-output.ts'
import { sampleRate, type Sound } from './sound-file.ts'
import type { Turns } from './turns.ts'

/** What the model is made for: blocks of 32 ms, each with the end of the one before. */
export const blockLength = 512
const contextLength = 64
const blocksAtOnce = 1_000

/** How likely it is, for each block, that somebody speaks in it. */
export async function detectActivity(
  model: InferenceSession,
  sound: Sound,
  turns: Turns,
): Promise<number[]> {
  const input = new Float32Array(contextLength + blockLength)
  const probabilities: number[] = []
  let state: Tensor = new Tensor('float32', new Float32Array(2 * 128), [2, 1, 128])
  for (let from = 0; from < sound.length; from += blocksAtOnce * blockLength) {
    const samples = await sound.read(from, from + blocksAtOnce * blockLength)
    await turns.take(async (checkStop) => {
      for (let at = 0; at < samples.length; at += blockLength) {
        checkStop()
        input.copyWithin(0, blockLength)
        input.fill(0, contextLength)
        input.set(samples.subarray(at, at + blockLength), contextLength)
        const outputs = await model.run({ input: blockOf(input), state, sr: rate })
        state = outputOf(outputs, 'stateN')
        probabilities.push(floatData(outputs, 'output')[0] ?? 0)
      }
    })
  }
  return probabilities
}

const rate = new Tensor('int64', BigInt64Array.of(BigInt(sampleRate)), [])

function blockOf(input: Float32Array): Tensor {
  return new Tensor('float32', input.slice(), [1, input.length])
}
