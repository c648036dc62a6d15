import path from 'node:path'
import { describe, expect, it } from 'vitest'
import '../../../../containers/models/model-thread.ts'
import type { SeenFace } from '../../../../containers/insight/faces/face-boxes.ts'
import { loadFaceModel } from '../../../../containers/insight/faces/face-model.ts'
import { isFace, trackFaces } from '../../../../containers/insight/faces/track-faces.ts'
import { ffmpegBytes } from '../../../support/containers/run-tool.ts'

const assets = path.resolve('node_modules/@vladmandic/human/assets')
const model = loadFaceModel()

/** The faces of a picture that the package of the model brings along, in its pixels. */
async function facesIn(name: string, width: number, height: number, filters: string) {
  const picture = ['-frames:v', '1', '-vf', filters, '-pix_fmt', 'rgb24', '-f', 'rawvideo', '-']
  const pixels = await ffmpegBytes(['-i', path.join(assets, name), ...picture])
  const faces = await (await model)({ picture: { width, height, pixels }, known: [] })
  return faces.map(({ score, isSure, left, right, top, bottom }) => ({
    ...{ score, isSure, x: ((left + right) / 2) * width, y: ((top + bottom) / 2) * height },
    high: (bottom - top) * height,
  }))
}

describe('loadFaceModel', () => {
  it('finds the five large faces of a picture, where they are', async () => {
    const found = await facesIn('screenshot-facedetect.jpg', 800, 718, 'null')
    const large = found.filter(({ high }) => high > 60).sort((a, b) => a.x - b.x)
    // In steps of 20 pixels.
    expect(large.map(({ x }) => Math.round(x / 20))).toEqual([4, 12, 20, 27, 35])
    expect(large.map(({ y }) => Math.round(y / 20))).toEqual([21, 21, 21, 21, 21])
    expect(large.map(({ isSure }) => isSure)).toEqual([true, true, true, true, true])
  })

  const inARow = (faces: readonly SeenFace[]) =>
    faces.map((face, i) => ({ ...face, seconds: i / 10 }))

  it('is not sure of a drawn face, but of one that is known', async () => {
    const drawn = ['-ss', '2', '-i', path.resolve('docs/examples/talk.mp4'), '-frames:v', '1']
    const pixels = await ffmpegBytes([...drawn, '-pix_fmt', 'rgb24', '-f', 'rawvideo', '-'])
    const picture = { pixels, width: 640, height: 360 }
    const faces = await (await model)({ picture, known: [] })
    expect(faces.map(({ isSure }) => isSure)).toEqual([undefined])
    expect(isFace(inARow(faces))).toBe(false)
    const again = await (await model)({ picture, known: faces })
    expect(again.map(({ isSure }) => isSure)).toEqual([true])
    expect(isFace(inARow([...again, ...again]))).toBe(true)
  })

  it('finds a face of 3 % of the height in a wide picture, and nothing beside it', async () => {
    const small = 'crop=142:142:14:142,scale=29:29:flags=area,pad=960:540:700:300:color=0x506070'
    const [face, ...others] = await facesIn('screenshot-faceid.jpg', 960, 540, small)
    expect(others).toEqual([])
    expect(face?.high).toBeLessThan(20)
    expect([face?.x, face?.y]).toEqual([expect.closeTo(714, -1), expect.closeTo(315, -1)])
  })
})

describe('trackFaces', () => {
  const face = (x: number): SeenFace => ({
    ...{ score: 0.9, left: x - 0.05, right: x + 0.05, top: 0.4, bottom: 0.5 },
  })

  it('follows faces that pass each other, through a short loss, and none past a cut', () => {
    const pictures = Array.from({ length: 9 }, (_, i) => ({
      seconds: i / 4,
      // The left one walks to the right and is not found once, the other one stands still.
      faces: [...(i === 2 ? [] : [face(0.2 + i * 0.05)]), { ...face(0.4), top: 0.7, bottom: 0.8 }],
    }))
    const tracks = trackFaces(pictures, { mostLostSeconds: 0.6, cuts: [1.9] })
    expect(tracks.map((track) => track.map(({ seconds }) => seconds * 4))).toEqual([
      [0, 1, 3, 4, 5, 6, 7],
      [0, 1, 2, 3, 4, 5, 6, 7],
      [8],
      [8],
    ])
  })
})
