import { Tensor } from 'onnxruntime-node'
import type { Size } from '../../../worker/contract/layout/element-layout.ts'
import { floatData } from '../../models/model-output.ts'
import { findBoxes, type SeenObject } from './find-boxes.ts'
import { openShipped } from './shipped-model.ts'

/** A picture as red, green and blue bytes, row by row. */
export type RgbPicture = Size & { readonly pixels: Uint8Array }

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
/** Lower scores are not used. */
const minScore = 0.2

/** Takes a second to load and 100 MB of memory. Running it blocks the thread, so load it in a separate one. */
export async function loadObjectModel(): Promise<ObjectModel> {
  const outputs = [names.scores, names.sides, names.traits]
  const session = await openShipped('centernet', { input: names.picture, outputs })
  return async (picture) => {
    const padded = sizeInSteps(picture, step)
    const { width, height } = padded
    const values = paddedPlanes(picture, padded, { valueOf: (byte) => byte, gray: 128 })
    const input = new Tensor('float32', values, [1, 3, height, width])
    const answer = await session.run({ [names.picture]: input })
    const map = {
      width: width / 4,
      height: height / 4,
      scores: floatData(answer, names.scores),
      sides: floatData(answer, names.sides),
    }
    const boxes = findBoxes(map, minScore)
    return {
      objects: boxes.map((box) => withoutPadding(box, padded, picture)),
      traits: meanTraits(floatData(answer, names.traits), padded, picture),
    }
  }
}

/** A size that a model can halve as often as it does. */
export function sizeInSteps({ width, height }: Size, step: number): Size {
  return { width: Math.ceil(width / step) * step, height: Math.ceil(height / step) * step }
}

/** The values of red, then green, then blue, padded with gray on the right and below up to a size. */
export function paddedPlanes(
  picture: RgbPicture,
  { width, height }: Size,
  { valueOf, gray }: { readonly valueOf: (byte: number) => number; readonly gray: number },
): Float32Array {
  const values = new Float32Array(3 * width * height).fill(gray)
  for (let y = 0; y < picture.height; y++) {
    for (let x = 0; x < picture.width; x++) {
      const from = (y * picture.width + x) * 3
      for (let plane = 0; plane < 3; plane++) {
        values[(plane * height + y) * width + x] = valueOf(picture.pixels[from + plane] ?? 0)
      }
    }
  }
  return values
}

/** Averages over the cells that the picture covers. */
function meanTraits(values: Float32Array, padded: Size, picture: RgbPicture): Float32Array {
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

function withoutPadding(box: SeenObject, padded: Size, picture: RgbPicture): SeenObject {
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
