import path from 'node:path'
import { expect, it } from 'vitest'
import '../../../../containers/models/model-thread.ts'
import { loadFaceModel } from '../../../../containers/insight/faces/face-model.ts'
import { savedOutput } from '../../../support/containers/outputs.ts'
import { ffmpegBytes } from '../../../support/containers/run-tool.ts'
import { aServiceForAll, succeed } from '../../../support/containers/service-for-all.ts'
import { makeFile } from '../../../support/node/fixtures.ts'

const service = aServiceForAll()
const assets = path.resolve('node_modules/@vladmandic/human/assets')

/** A portrait that moves across a test picture for a second. */
const film = async () =>
  makeFile('mp4', [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=25:duration=1'],
    ...['-i', path.join(assets, 'screenshot-faceid.jpg')],
    '-filter_complex',
    "[1:v]crop=142:142:14:142[face];[0:v][face]overlay=x='60+t*150':y=110,format=yuv420p",
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '18', '-t', '1'],
  ])

const size = { width: 640, height: 360 }

async function picturesOf(file: string): Promise<Buffer[]> {
  const filters = ['-vf', 'fps=25', '-pix_fmt', 'rgb24', '-f', 'rawvideo', '-']
  const bytes = await ffmpegBytes(['-i', file, ...filters])
  const one = size.width * size.height * 3
  return Array.from({ length: Math.floor(bytes.length / one) }, (_, i) =>
    bytes.subarray(i * one, (i + 1) * one),
  )
}

it('blurFaces covers a moving face in every picture and in the still, and changes nothing else', async () => {
  const source = await film()
  const options = { blurFaces: true, enableThumbnail: true }
  const inputs = [service.sources.file(source)]
  const { receiver, end } = await succeed(service.worker, { inputs, options })
  expect(end.warnings).toEqual([])
  expect(end.covered?.faces?.tracks).toBeGreaterThanOrEqual(1)
  expect(end.covered?.faces?.seconds).toBeGreaterThan(0.9)
  expect(end.checks?.filter(({ result }) => result !== 'passed')).toEqual([])
  const model = await loadFaceModel()
  const facesIn = async (pixels: Buffer) =>
    (await model({ picture: { ...size, pixels }, known: [] })).length
  const [before, after] = [
    await picturesOf(source),
    await picturesOf(await savedOutput(receiver, 'final', 'mp4')),
  ]
  expect(after).toHaveLength(before.length)
  expect(await facesIn(before[12] ?? Buffer.alloc(0))).toBe(1)
  for (const i of [0, 1, 6, 12, 18, 23, 24])
    expect(await facesIn(after[i] ?? Buffer.alloc(0))).toBe(0)
  const still = await savedOutput(receiver, 'thumbnail', 'jpg')
  const [shown] = await picturesOf(still)
  expect(await facesIn(shown ?? Buffer.alloc(0))).toBe(0)
  // The lower fifth is far from the face.
  const from = Math.floor(size.height * 0.85) * size.width * 3
  const apart = [...(after[12] ?? [])]
    .slice(from)
    .reduce((sum, value, k) => sum + Math.abs(value - (before[12]?.[from + k] ?? 0)), 0)
  expect(apart / (size.width * size.height * 3 - from)).toBeLessThan(6)
})
