import { type InferenceSession, Tensor } from 'onnxruntime-node'
import { floatData } from '../../models/model-output.ts'
import { paddedPlanes, sizeInSteps, type RgbPicture } from '../objects/object-model.ts'
import { openShipped } from '../objects/shipped-model.ts'
import { halvedPicture } from './halved-picture.ts'
import type { Box } from '../../numbers/picture-box.ts'
import { facesOf, isSameFace, oncePerFace, type FaceMap, type SeenFace } from './face-boxes.ts'

/** `known`: where a face certainly is, which need not be checked again. `mostChecked`: how many others are. */
export type FaceLook = {
  readonly picture: RgbPicture
  readonly known: readonly Box[]
  readonly mostChecked?: number
}

/** Finds the faces of a picture. The smallest that it finds are about 16 pixels high. */
export type FaceModel = (look: FaceLook) => Promise<SeenFace[]>

/** The same, asked of the thread that holds the model. */
export type FindFaces = (look: FaceLook, signal: AbortSignal) => Promise<SeenFace[]>

const layer = 'StatefulPartitionedCall/functional_1/'
/** The model answers for cells of two sizes, and for each with this many guesses. */
const answers = [
  { step: 16, guesses: 2, scores: `${layer}conv2d_33/BiasAdd`, boxes: `${layer}conv2d_35/BiasAdd` },
  { step: 32, guesses: 6, scores: `${layer}conv2d_34/BiasAdd`, boxes: `${layer}conv2d_36/BiasAdd` },
] as const
const coarsestStep = 32

/** The model was made for 256 × 256 pixels, and finds no face that is much larger. */
const smallestLook = 256

/** Loads in a tenth of a second. Running it blocks the thread, so load it in a separate one. */
export async function loadFaceModel(): Promise<FaceModel> {
  const outputs = answers.flatMap(({ scores, boxes }) => [scores, boxes])
  const session = await openShipped('blazeface', { input: 'input', outputs })
  const check = await loadFaceCheck()
  return async (asked) => {
    const found: SeenFace[] = []
    for (const look of looksAt(asked.picture)) found.push(...(await lookOnce(session, look)))
    return checked(check, asked, oncePerFace(found))
  }
}

/** The number of faces that are checked in a picture, unless more are asked for. */
const usuallyChecked = 8
/** In a face with fewer pixels, the check is useless. */
const leastChecked = 12

/** Checks the likeliest faces that are not known yet. */
async function checked(
  check: FaceCheck,
  { picture, known, mostChecked = usuallyChecked }: FaceLook,
  faces: readonly SeenFace[],
): Promise<SeenFace[]> {
  let left = mostChecked
  const told: SeenFace[] = []
  for (const face of faces) {
    const isKnown = known.some((other) => isSameFace(other, face))
    const isLarge = (face.bottom - face.top) * picture.height >= leastChecked
    const isSure = isKnown || (isLarge && left-- > 0 && (await check(picture, face)))
    told.push(isSure ? { ...face, isSure, ...(isKnown && { isKnown }) } : face)
  }
  return told
}

/**
 * The picture in its own size for small faces, then halved repeatedly for larger ones. The model is convolutional: running it
 * on a large picture gives the same as on overlapping tiles of it, for less work.
 */
function looksAt(picture: RgbPicture): RgbPicture[] {
  const looks = [picture]
  for (let last = picture; Math.max(last.width, last.height) > smallestLook;) {
    last = halvedPicture(last)
    looks.push(last)
  }
  return looks
}

async function lookOnce(session: InferenceSession, picture: RgbPicture): Promise<SeenFace[]> {
  const size = sizeInSteps(picture, coarsestStep)
  const { width, height } = size
  const values = paddedPlanes(picture, size, { valueOf: (byte) => byte / 127.5 - 1, gray: 0 })
  const answer = await session.run({ input: new Tensor('float32', values, [1, 3, height, width]) })
  return answers.flatMap(({ step, guesses, scores, boxes }) => {
    const map: FaceMap = {
      ...{ step, guesses, columns: width / step, rows: height / step },
      ...{ scores: floatData(answer, scores), boxes: floatData(answer, boxes) },
    }
    return facesOf(map, picture)
  })
}

/** Whether a finding is a face: to the model that finds faces, clocks, wheels and leaves look alike. */
type FaceCheck = (picture: RgbPicture, face: Box) => Promise<boolean>

const input = 'input_1'
/** The network draws a mesh on a face; its first output is how certainly it sees one. */
const answer = 'StatefulPartitionedCall/model_1/activation_1/Sigmoid'
/** The side of the picture that it takes, in pixels. */
const side = 192
/**
 * How much larger than the face this picture is. Faces in profile are recognised, if at all, by the whole head and its
 * surroundings: from close up, the network sees no face then.
 */
const looks = [1.6, 2.5] as const
const leastSure = 0.7

async function loadFaceCheck(): Promise<FaceCheck> {
  const session = await openShipped('facemesh', { input, outputs: [answer] })
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

/** A square around the face, in values from 0 to 1; beyond the picture, its edge is repeated. */
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
