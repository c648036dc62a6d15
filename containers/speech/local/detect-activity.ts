import { Tensor, InferenceSession } from 'onnxruntime-node'
import type { VoiceActivity } from '../../sound/pauses/voice-activity.ts'
import { floatData, oneThread } from '../../models/model-output.ts'
import type { SpeechStretch } from './find-speech.ts'
import type { SampledSound } from './sound-file.ts'
import { speechRate } from '../../sound/speech-sound.ts'
import type { Turns } from '../../models/turns.ts'
import { fileURLToPath } from 'node:url'

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
  const lane = newLane()
  const probabilities: number[] = []
  for await (const samples of pieces) {
    await turns.take(async (checkStop) => {
      for (let at = 0; at < samples.length; at += blockLength) {
        checkStop()
        const next = samples.subarray(at, at + blockLength)
        probabilities.push(...(await hearNext(model, [{ lane, next }])))
      }
    })
  }
  return { blockSamples: blockLength, probabilities: Float32Array.from(probabilities) }
}

/** A sound is analysed in parts of this length, several of them at a time. */
const partLength = 2_500 * blockLength
/** A range of this length consists of whole parts. */
export const rangeLength = 8 * partLength

/** The same for a complete sound, from a sample that begins a part: together, ranges give the same as the whole sound. */
export async function detectInRange(
  model: InferenceSession,
  sound: SampledSound,
  { start, end }: SpeechStretch,
  turns: Turns,
): Promise<Float32Array> {
  const parts = Array.from({ length: Math.ceil((end - start) / partLength) }, (_, i) => {
    const from = start + i * partLength
    return { start: from, end: Math.min(end, from + partLength) }
  })
  const heard = await detectInParts(model, sound, parts, turns)
  const probabilities = new Float32Array(Math.ceil((end - start) / blockLength))
  heard.forEach((some, i) => probabilities.set(some, (i * partLength) / blockLength))
  return probabilities
}

/** The samples that the detector hears before a part: with half a second, it notices some voices by a third of a second late. */
const lead = 64 * blockLength
/** A run with eight blocks takes the model only twice as long as one with a single block. */
const mostLanes = 8
/** The blocks of each part in one turn of the thread. */
const blocksInTurn = 128

/**
 * The probabilities in some parts of a sound. The detector starts two seconds before each part, and counts its blocks from
 * there: so it finds the same in it whatever else is analysed.
 */
export async function detectInParts(
  model: InferenceSession,
  sound: SampledSound,
  parts: readonly SpeechStretch[],
  turns: Turns,
): Promise<Float32Array[]> {
  const waiting = parts.map(({ start, end }) => {
    const [from, to] = [start - lead, end]
    return { from, to, found: new Float32Array(Math.ceil((to - from) / blockLength)) }
  })
  const heard = waiting.map(({ found }) => found.subarray(lead / blockLength))
  let open: { lane: Lane; samples: Float32Array; found: Float32Array; at: number }[] = []
  for (;;) {
    for (const { from, to, found } of waiting.splice(0, mostLanes - open.length)) {
      open.push({ lane: newLane(), samples: await sound.read(from, to), found, at: 0 })
    }
    if (open.length === 0) return heard
    const blocks = Math.min(blocksInTurn, ...open.map(({ found, at }) => found.length - at))
    await turns.take(async (checkStop) => {
      for (let block = 0; block < blocks; block++) {
        checkStop()
        const asked = open.map(({ lane, samples, at }) => {
          const from = at * blockLength
          return { lane, next: samples.subarray(from, from + blockLength) }
        })
        const probabilities = await hearNext(model, asked)
        open.forEach((one, i) => (one.found[one.at++] = probabilities[i] ?? 0))
      }
    })
    open = open.filter(({ found, at }) => at < found.length)
  }
}

/** The next input of the detector, after the end of the block before, and its memory of everything before. */
type Lane = { readonly input: Float32Array; readonly state: Float32Array }

const stateLayers = [0, 1]
const layerLength = 128

function newLane(): Lane {
  return {
    input: new Float32Array(contextLength + blockLength),
    state: new Float32Array(stateLayers.length * layerLength),
  }
}

const rate = new Tensor('int64', BigInt64Array.of(BigInt(speechRate)), [])

/** Analyses the next block of each lane. The other lanes of the same run do not change its probability. */
async function hearNext(
  model: InferenceSession,
  asked: readonly { readonly lane: Lane; readonly next: Float32Array }[],
): Promise<Float32Array> {
  const count = asked.length
  const inputs = new Float32Array(count * (contextLength + blockLength))
  const states = new Float32Array(count * stateLayers.length * layerLength)
  const layerOf = (all: Float32Array, layer: number) =>
    all.subarray(layer * layerLength, (layer + 1) * layerLength)
  for (const [i, { lane, next }] of asked.entries()) {
    const { input, state } = lane
    input.copyWithin(0, blockLength)
    input.fill(0, contextLength)
    input.set(next, contextLength)
    inputs.set(input, i * input.length)
    for (const n of stateLayers) layerOf(states, n * count + i).set(layerOf(state, n))
  }
  const outputs = await model.run({
    input: new Tensor('float32', inputs, [count, contextLength + blockLength]),
    state: new Tensor('float32', states, [stateLayers.length, count, layerLength]),
    sr: rate,
  })
  const after = floatData(outputs, 'stateN')
  for (const [i, { lane }] of asked.entries()) {
    for (const n of stateLayers) layerOf(lane.state, n).set(layerOf(after, n * count + i))
  }
  return floatData(outputs, 'output')
}

/** Loads the model that detects where somebody speaks. */
export async function loadActivityModel(): Promise<InferenceSession> {
  const file = fileURLToPath(import.meta.resolve('@ricky0123/vad-web/dist/silero_vad_v6.onnx'))
  return InferenceSession.create(file, oneThread)
}
