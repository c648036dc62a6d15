import { fileURLToPath } from 'node:url'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { convertModel } from '../objects/convert-model.ts'
import type { Box } from '../objects/find-boxes.ts'
import { readGraphModel } from '../objects/graph-model.ts'
import type { RgbPicture } from '../objects/object-model.ts'
import { encodeOnnx } from '../objects/onnx-graph.ts'

/** Whether what was found is a face: clocks, wheels and leaves are alike to the model that finds faces. */
export type FaceCheck = (picture: RgbPicture, face: Box) => Promise<boolean>

const input = 'input_1'
/** The network draws a mesh on a face, and says first how surely it has one before it. */
const answer = 'StatefulPartitionedCall/model_1/activation_1/Sigmoid'
/** The side of the picture that it takes, in pixels. */
const side = 192
/**
 * How much larger than the face this picture is. Faces in profile are recognized by the whole head, with what is around it, if at all:
 * then the network sees no face from near.
 */
const looks = [1.6, 2.5] as const
const leastSure = 0.7

export async function loadFaceCheck(): Promise<FaceCheck> {
  const shipped = new URL('../models/facemesh.json', import.meta.resolve('@vladmandic/human'))
  const model = await readGraphModel(fileURLToPath(shipped))
  const graph = convertModel(model, { input, outputs: [answer] })
  // Leave the other cores to ffmpeg and other jobs.
  const session = await InferenceSession.create(encodeOnnx(graph), { intraOpNumThreads: 1 })
  return async (picture, face) => {
    for (const around of looks) {
      const values = new Tensor('float32', cutOut(picture, face, around), [1, 3, side, side])
      const [sure] = (await session.run({ [input]: values }))[answer]?.data ?? []
      if (typeof sure !== 'number') throw new Error('The model did not say whether it sees a face')
      if (sure >= leastSure) return true
    }
    return false
  }
}

/** A square around the face, in values from 0 to 1; beyond the picture its edge goes on. */
function cutOut({ width, height, pixels }: RgbPicture, face: Box, around: number): Float32Array {
  const [wide, high] = [(face.right - face.left) * width, (face.bottom - face.top) * height]
  const step = (Math.max(wide, high) * around) / side
  const placeOf = (middle: number, at: number, length: number): number => {
    const place = middle * length + (at + 0.5 - side / 2) * step - 0.5
    return Math.min(length - 1, Math.max(0, place))
  }
  const values = new Float32Array(3 * side * side)
  for (let row = 0; row < side; row++) {
    const y = placeOf((face.top + face.bottom) / 2, row, height)
    const upper = Math.floor(y) * width
    const lower = Math.min(height - 1, Math.floor(y) + 1) * width
    for (let column = 0; column < side; column++) {
      const x = placeOf((face.left + face.right) / 2, column, width)
      const [left, right] = [Math.floor(x), Math.min(width - 1, Math.floor(x) + 1)]
      const [across, down] = [x - left, y - Math.floor(y)]
      for (let plane = 0; plane < 3; plane++) {
        const at = (line: number, place: number): number => pixels[(line + place) * 3 + plane] ?? 0
        const above = at(upper, left) + across * (at(upper, right) - at(upper, left))
        const below = at(lower, left) + across * (at(lower, right) - at(lower, left))
        values[(plane * side + row) * side + column] = (above + down * (below - above)) / 255
      }
    }
  }
  return values
}
