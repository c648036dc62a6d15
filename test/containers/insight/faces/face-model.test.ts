import path from 'node:path'
import { describe, expect, it } from 'vitest'
import '../../../../containers/models/model-thread.ts'
import type { SeenFace } from '../../../../containers/insight/faces/face-boxes.ts'
import { loadFaceModel } from '../../../../containers/insight/faces/face-model.ts'
import { facesAmong, trackFaces } from '../../../../containers/insight/faces/track-faces.ts'
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
    expect(facesAmong([inARow(faces)])).toEqual([])
    const again = await (await model)({ picture, known: faces })
    expect(again).toEqual([expect.objectContaining({ isSure: true, isKnown: true })])
    // Nothing was confirmed itself, so that it is one only beside a face that was.
    const known = inARow([...again, ...again])
    expect(facesAmong([known])).toEqual([])
    const own = known.map(({ seconds, ...place }) => ({ ...place, seconds: seconds + 0.3 }))
    const confirmed = own.map((place) => ({ ...place, isKnown: undefined }))
    expect(facesAmong([known, confirmed])).toEqual([known, confirmed])
  })

  it('finds a face of 3 % of the height in a wide picture, and nothing beside it', async () => {
    const small = 'crop=142:142:14:142,scale=29:29:flags=area,pad=960:540:700:300:color=0x506070'
    const [face, ...others] = await facesIn('screenshot-faceid.jpg', 960, 540, small)
    expect(others).toEqual([])
    expect(face?.high).toBeLessThan(20)
    expect([face?.x, face?.y]).toEqual([expect.closeTo(714, -1), expect.closeTo(315, -1)])
  })
})

describe('facesAmong', () => {
  /** Found five times in half a second: confirmed at first, and known to be there after that. */
  const seenFor = (side: number, score: number) =>
    Array.from({ length: 5 }, (_, i) => ({
      ...{ score, left: 0.5, right: 0.5 + side, top: 0.4, bottom: 0.4 + side, seconds: i / 10 },
      ...{ isSure: true, isKnown: i > 0 },
    }))

  it('takes what was confirmed once for a face if it is found surely, or small', () => {
    const tracks = [seenFor(0.2, 0.75), seenFor(0.2, 0.6), seenFor(0.06, 0.6)]
    expect(tracks.map((track) => facesAmong([track]).length)).toEqual([1, 0, 1])
  })

  it('takes none far from where a face was a moment ago for one that was never confirmed itself', () => {
    const face = seenFor(0.2, 0.75)
    const movedBy = (right: number, later: number) =>
      face.map(({ left, right: end, seconds, ...place }) => ({
        ...{ ...place, isKnown: true, left: left + right, right: end + right },
        seconds: seconds + later,
      }))
    const tracks = [
      ...[face, movedBy(0.05, 0.8)],
      // Too late, too far away, and together with the face.
      ...[movedBy(0.05, 2), movedBy(0.3, 0.8), movedBy(0.05, 0)],
    ]
    expect(facesAmong(tracks)).toEqual([tracks[0], tracks[1]])
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
