import { fileURLToPath } from 'node:url'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { convertModel } from './convert-model.ts'
import { findBoxes, type SeenObject } from './find-boxes.ts'
import { readGraphModel } from './graph-model.ts'
import { encodeOnnx } from './onnx-graph.ts'

/** A picture as red, green and blue bytes, row by row. */
export type RgbPicture = {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
}

/** What the model finds in one picture. */
export type Sight = {
  readonly objects: readonly SeenObject[]
  /** The strength of each of the 480 traits from which the model derives objects, averaged over the picture. */
  readonly traits: Float32Array
}

export type ObjectModel = (picture: RgbPicture) => Promise<Sight>

const names = {
  picture: 'tower_0/images',
  scores: 'tower_0/keypoints',
  sides: 'tower_0/wh',
  traits: 'tower_0/extern1/hard_swish/mul_1',
}
/** The model halves a picture five times. */
const step = 32
const gray = 128
/** Lower scores are not used. */
const minScore = 0.2

/** Takes a second to load and 100 MB of memory. Running it blocks the thread, so load it in a separate one. */
export async function loadObjectModel(): Promise<ObjectModel> {
  const shipped = new URL('../models/centernet.json', import.meta.resolve('@vladmandic/human'))
  const graph = convertModel(await readGraphModel(fileURLToPath(shipped)), {
    input: names.picture,
    outputs: [names.scores, names.sides, names.traits],
  })
  // Leave the other cores to ffmpeg and other jobs.
  const session = await InferenceSession.create(encodeOnnx(graph), { intraOpNumThreads: 1 })
  return async (picture) => {
    const padded = paddedPlanes(picture)
    const { width, height, values } = padded
    const input = new Tensor('float32', values, [1, 3, height, width])
    const answer = await session.run({ [names.picture]: input })
    const map = {
      width: width / 4,
      height: height / 4,
      scores: floatsOf(answer[names.scores]),
      sides: floatsOf(answer[names.sides]),
    }
    const boxes = findBoxes(map, minScore)
    return {
      objects: boxes.map((box) => withoutPadding(box, padded, picture)),
      traits: meanTraits(floatsOf(answer[names.traits]), padded, picture),
    }
  }
}

export function floatsOf(tensor: Tensor | undefined): Float32Array {
  if (tensor?.data instanceof Float32Array) return tensor.data
  throw new Error('The model did not answer with numbers')
}

type Planes = { width: number; height: number; values: Float32Array }

/** Pads with gray on the right and below, up to the size that the model needs. */
function paddedPlanes(picture: RgbPicture): Planes {
  const width = Math.ceil(picture.width / step) * step
  const height = Math.ceil(picture.height / step) * step
  const values = new Float32Array(3 * width * height).fill(gray)
  for (let y = 0; y < picture.height; y++) {
    for (let x = 0; x < picture.width; x++) {
      const from = (y * picture.width + x) * 3
      const to = y * width + x
      for (let plane = 0; plane < 3; plane++) {
        values[plane * width * height + to] = picture.pixels[from + plane] ?? gray
      }
    }
  }
  return { width, height, values }
}

/** Averages over the cells that the picture covers. */
function meanTraits(values: Float32Array, padded: Planes, picture: RgbPicture): Float32Array {
  const columns = padded.width / step
  const rows = padded.height / step
  const across = Math.max(1, Math.round(picture.width / step))
  const down = Math.max(1, Math.round(picture.height / step))
  const means = new Float32Array(values.length / (columns * rows))
  return means.map((_, trait) => {
    let sum = 0
    for (let y = 0; y < down; y++) {
      for (let x = 0; x < across; x++) sum += values[(trait * rows + y) * columns + x] ?? 0
    }
    return sum / (across * down)
  })
}

function withoutPadding(box: SeenObject, padded: Planes, picture: RgbPicture): SeenObject {
  const across = padded.width / picture.width
  const down = padded.height / picture.height
  return {
    ...box,
    left: box.left * across,
    right: box.right * across,
    top: box.top * down,
    bottom: box.bottom * down,
  }
}
