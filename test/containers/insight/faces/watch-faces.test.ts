import path from 'node:path'
import { expect, it } from 'vitest'
import '../../../../containers/models/model-thread.ts'
import { loadFaceModel } from '../../../../containers/insight/faces/face-model.ts'
import { FaceWatch } from '../../../../containers/insight/faces/watch-faces.ts'
import { ffmpegBytes } from '../../../support/containers/run-tool.ts'

const portrait = path.resolve('node_modules/@vladmandic/human/assets/screenshot-facedetect.jpg')
const size = { width: 1280, height: 720 }

const face = { width: 28, height: 30 }

async function smallFace(): Promise<Uint8Array> {
  const filters = `crop=140:150:14:350,scale=${face.width}:${face.height}:flags=area`
  const raw = ['-frames:v', '1', '-vf', filters, '-pix_fmt', 'rgb24', '-f', 'rawvideo', '-']
  return ffmpegBytes(['-i', portrait, ...raw])
}

/** An even picture, with a face of 20 pixels in it if a place is given. */
function pictureWith(small: Uint8Array, x?: number): Uint8Array {
  const pixels = new Uint8Array(size.width * size.height * 3).fill(96)
  for (let row = 0; row < face.height && x !== undefined; row++) {
    const line = small.subarray(row * face.width * 3, (row + 1) * face.width * 3)
    pixels.set(line, ((300 + row) * size.width + x) * 3)
  }
  return pixels
}

it('finds a small face once a second in full, and from there on and back in every picture', async () => {
  const model = await loadFaceModel()
  const small = await smallFace()
  const asked: number[] = []
  const watch = new FaceWatch(async (look) => {
    asked.push(look.picture.width)
    return model(look)
  }, new AbortController().signal)
  // It comes into the picture after the first look in full, and walks to the right.
  const [first, last] = [5, 15]
  for (let i = 0; i < 20; i++) {
    const pixels = pictureWith(small, i >= first && i <= last ? 600 + 4 * i : undefined)
    await watch.look({ ...size, pixels }, i / 10)
  }
  const found = watch.finish()
  expect(found.map(({ seconds }) => Math.round(seconds * 10))).toEqual([...Array(20).keys()])
  const seen = found.flatMap(({ faces }, i) => (faces.some(({ isSure }) => isSure) ? [i] : []))
  expect(seen).toEqual(Array.from({ length: last - first + 1 }, (_, i) => first + i))
  const middles = found.slice(first, last + 1).map(({ faces: [face] }) => {
    return Math.round((((face?.left ?? 0) + (face?.right ?? 0)) / 2) * size.width)
  })
  for (const [i, middle] of middles.entries()) {
    expect(Math.abs(middle - (600 + 4 * (first + i) + 14))).toBeLessThan(6)
  }
  expect(asked.filter((width) => width === size.width)).toHaveLength(2)
})
