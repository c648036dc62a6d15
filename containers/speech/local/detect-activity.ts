import { Tensor, InferenceSession } from 'onnxruntime-node'
import type { VoiceActivity } from '../../sound/pauses/voice-activity.ts'
import { floatData, outputOf } from './model-output.ts'
import type { Sound } from './sound-file.ts'
import { speechRate } from '../../sound/speech-sound.ts'
import type { Turns } from './turns.ts'
import { fileURLToPath } from 'node:url'
import { oneThread } from './load-session.ts'

/** The model takes blocks of 32 ms, each with the end of the one before. */
export const blockLength = 512
const contextLength = 64
/** The samples of one turn of the thread. */
export const pieceLength = 1_000 * blockLength

/**
 * The probability for each block that somebody speaks. The pieces follow each other; each but the last has
 * `pieceLength`.
 */
export async function detectActivity(
  model: InferenceSession,
  pieces: AsyncIterable<Float32Array>,
  turns: Turns,
): Promise<VoiceActivity> {
  const input = new Float32Array(contextLength + blockLength)
  const probabilities: number[] = []
  let state: Tensor = new Tensor('float32', new Float32Array(2 * 128), [2, 1, 128])
  for await (const samples of pieces) {
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
  return { blockSamples: blockLength, probabilities: Float32Array.from(probabilities) }
}

/** Reads a whole sound in pieces. */
export async function* piecesOfSound(sound: Sound): AsyncGenerator<Float32Array> {
  for (let from = 0; from < sound.length; from += pieceLength) {
    yield await sound.read(from, Math.min(sound.length, from + pieceLength))
  }
}

const rate = new Tensor('int64', BigInt64Array.of(BigInt(speechRate)), [])

function blockOf(input: Float32Array): Tensor {
  return new Tensor('float32', input.slice(), [1, input.length])
}

/** Loads the model that detects where somebody speaks. */
export async function loadActivityModel(): Promise<InferenceSession> {
  const file = fileURLToPath(import.meta.resolve('@ricky0123/vad-web/dist/silero_vad_v6.onnx'))
  return InferenceSession.create(file, oneThread)
}
