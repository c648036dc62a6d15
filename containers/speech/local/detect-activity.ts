import { Tensor, InferenceSession } from 'onnxruntime-node'
import type { VoiceActivity } from '../../sound/pauses/voice-activity.ts'
import { floatData, outputOf } from './model-output.ts'
import type { Sound } from './sound-file.ts'
import { speechRate } from '../../sound/speech-sound.ts'
import type { Turns } from '../../models/turns.ts'
import { fileURLToPath } from 'node:url'
import { oneThread } from './load-session.ts'

/** The model takes blocks of 32 ms, each with the end of the one before. */
export const blockLength = 512
const contextLength = 64
/** The samples of one turn of the thread. */
export const pieceLength = 1_000 * blockLength

/** What the detector remembers behind a block. */
type Memory = { readonly state: Float32Array; readonly context: Float32Array }

/**
 * The probability for each block that somebody speaks. The pieces follow each other; each but the last has
 * `pieceLength`.
 */
export async function detectActivity(
  model: InferenceSession,
  pieces: AsyncIterable<Float32Array>,
  turns: Turns,
): Promise<VoiceActivity> {
  const { probabilities } = await listen(model, pieces, turns)
  return { blockSamples: blockLength, probabilities }
}

/** A range of a sound, and what the detector remembers behind it. `state`: what it remembered before it. */
export type ActivityRange = {
  readonly from: number
  readonly to: number
  readonly state?: Float32Array | undefined
}
export type HeardRange = { readonly probabilities: Float32Array; readonly state: Float32Array }

/** The same for a range that begins with a piece: together, ranges have what the whole sound has. */
export async function detectInRange(
  model: InferenceSession,
  sound: Sound,
  { from, to, state }: ActivityRange,
  turns: Turns,
): Promise<HeardRange> {
  const before = state && { state, context: await sound.read(from - contextLength, from) }
  return listen(model, piecesOfSound(sound, from, to), turns, before)
}

async function listen(
  model: InferenceSession,
  pieces: AsyncIterable<Float32Array>,
  turns: Turns,
  before?: Memory,
): Promise<HeardRange> {
  const input = new Float32Array(contextLength + blockLength)
  if (before) input.set(before.context, blockLength)
  const probabilities: number[] = []
  let state: Tensor = new Tensor('float32', before?.state ?? new Float32Array(2 * 128), [2, 1, 128])
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
  const remembered = Float32Array.from(state.data as Float32Array)
  return { probabilities: Float32Array.from(probabilities), state: remembered }
}

/** Reads a sound, or a range of it, in pieces. */
export async function* piecesOfSound(
  sound: Sound,
  first = 0,
  end = sound.length,
): AsyncGenerator<Float32Array> {
  for (let from = first; from < end; from += pieceLength) {
    yield await sound.read(from, Math.min(end, from + pieceLength))
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
