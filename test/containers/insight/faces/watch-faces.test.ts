import path from 'node:path'
import { expect, it } from 'vitest'
import '../../../../containers/models/model-thread.ts'
import { leadPictures, maskFaces } from '../../../../containers/insight/cover/face-mask.ts'
import { loadFaceModel } from '../../../../containers/insight/faces/face-model.ts'
import { FaceWatch } from '../../../../containers/insight/faces/watch-faces.ts'
import { ffmpegBytes } from '../../../support/containers/run-tool.ts'

const model = loadFaceModel()
const portrait = path.resolve('node_modules/@vladmandic/human/assets/screenshot-facedetect.jpg')
const size = { width: 1280, height: 720 }

const face = { width: 28, height: 30 }

async function smallFace(): Promise<Uint8Array> {
  const filters = `crop=140:150:14:350,scale=${face.width}:${face.height}:flags=area`
  const raw = ['-frames:v', '1', '-vf', filters, '-pix_fmt', 'rgb24', '-f', 'rawvideo', '-']
  return ffmpegBytes(['-i', portrait, ...raw])
}

type Place = readonly [x: number, y: number]

/** An even picture with a face of 20 pixels at each of these places. */
function pictureWith(small: Uint8Array, places: readonly Place[], gray = 96): Uint8Array {
  const pixels = new Uint8Array(size.width * size.height * 3).fill(gray)
  for (const [x, y] of places) {
    for (let row = 0; row < face.height; row++) {
      const line = small.subarray(row * face.width * 3, (row + 1) * face.width * 3)
      pixels.set(line, ((y + row) * size.width + x) * 3)
    }
  }
  return pixels
}

/** What is found in successive pictures, ten a second, and how wide those were that the model saw. */
async function watched(pictures: readonly Uint8Array[]) {
  const asked: number[] = []
  const watch = new FaceWatch(async (look) => {
    asked.push(look.picture.width)
    return (await model)(look)
  }, new AbortController().signal)
  for (const [i, pixels] of pictures.entries()) await watch.look({ ...size, pixels }, i / 10)
  return { found: watch.finish(), asked }
}

it('finds a small face once a second in full, and from there on and back in every picture', async () => {
  const small = await smallFace()
  // It comes into the picture after the first look in full, and walks to the right. All of the picture flickers, as if the camera moved.
  const [first, last] = [5, 15]
  const isThere = (i: number) => i >= first && i <= last
  const { found, asked } = await watched(
    [...Array(20).keys()].map((i) =>
      pictureWith(small, isThere(i) ? [[600 + 4 * i, 300]] : [], 90 + 15 * (i % 2)),
    ),
  )
  expect(found.map(({ seconds }) => Math.round(seconds * 10))).toEqual([...Array(20).keys()])
  const seen = found.flatMap(({ faces }, i) => (faces.some(({ isSure }) => isSure) ? [i] : []))
  expect(seen).toEqual(Array.from({ length: last - first + 1 }, (_, i) => first + i))
  const middles = found.slice(first, last + 1).map(({ faces: [one] }) => {
    return Math.round((((one?.left ?? 0) + (one?.right ?? 0)) / 2) * size.width)
  })
  for (const [i, middle] of middles.entries()) {
    expect(Math.abs(middle - (600 + 4 * (first + i) + 14))).toBeLessThan(6)
  }
  expect(asked.filter((width) => width === size.width)).toHaveLength(2)
})

it('finds a small face that comes and goes between two looks in full', async () => {
  const small = await smallFace()
  const isThere = (i: number) => i >= 2 && i < 5
  const { found } = await watched(
    [...Array(7).keys()].map((i) => pictureWith(small, isThere(i) ? [[600, 300]] : [])),
  )
  const seen = found.flatMap(({ faces }, i) => (faces.some(({ isSure }) => isSure) ? [i] : []))
  expect(seen).toEqual([2, 3, 4])
})

it('covers each of twenty-four small faces of a crowd that walks by, in every picture', async () => {
  const small = await smallFace()
  const placesAt = (i: number): Place[] =>
    Array.from({ length: 24 }, (_, k) => [30 + (k % 8) * 140 + 6 * i, 60 + Math.floor(k / 8) * 200])
  const { found } = await watched([...Array(11).keys()].map((i) => pictureWith(small, placesAt(i))))
  const mask = maskFaces(found, size)
  expect(mask.counts.tracks).toBe(24)
  const scale = mask.size.width / size.width
  for (let i = 0; i < 11; i++) {
    const covered = mask.pictureAt(i + leadPictures)
    const bare = placesAt(i).filter(([x, y]) => {
      const row = Math.floor((y + face.height / 2) * scale)
      return covered?.[row * mask.size.width + Math.floor((x + face.width / 2) * scale)] !== 255
    })
    expect(bare).toEqual([])
  }
})

it('finds a small face in a shot that lies between two looks in full', async () => {
  const small = await smallFace()
  const isShot = (i: number) => i >= 11 && i < 18
  const { found } = await watched(
    [...Array(20).keys()].map((i) =>
      pictureWith(small, isShot(i) ? [[600, 300]] : [], isShot(i) ? 150 : 96),
    ),
  )
  const seen = found.flatMap(({ faces }, i) => (faces.some(({ isSure }) => isSure) ? [i] : []))
  expect(seen).toEqual([11, 12, 13, 14, 15, 16, 17])
})

it('checks a face again that appears after a cut where another one was', async () => {
  const at = { left: 0.4, right: 0.5, top: 0.4, bottom: 0.55, score: 0.6 }
  const known: number[] = []
  const watch = new FaceWatch(async (look) => {
    known.push(look.known.length)
    return [{ ...at, isSure: true }]
  }, new AbortController().signal)
  const picture = (gray: number) => ({
    width: 64,
    height: 36,
    pixels: new Uint8Array(64 * 36 * 3).fill(gray),
  })
  for (const [i, gray] of [96, 96, 96, 150, 150].entries()) await watch.look(picture(gray), i / 10)
  expect(known).toEqual([0, 1, 1, 0, 1])
})
