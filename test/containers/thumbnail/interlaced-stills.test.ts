import { copyFile, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { measureMedia } from '../../../containers/ffmpeg/measure-media.ts'
import { gatherPictures } from '../../../containers/thumbnail/gather-pictures.ts'
import { wantedForStill } from '../../../containers/thumbnail/make-thumbnail.ts'
import {
  codedFields,
  fieldsVideo,
  movingAt50,
} from '../../support/containers/films/fields-video.ts'
import { ffmpegBytes } from '../../support/containers/run-tool.ts'
import { aToolContext } from '../../support/containers/tool-context.ts'

const [width, height] = [720, 576]

/** The brightness of every picture that the camera saw, fifty a second. */
async function seen(): Promise<Buffer[]> {
  const gray = ['-vf', 'format=yuvj420p,format=gray', '-f', 'rawvideo', '-']
  return split(await ffmpegBytes(['-f', 'lavfi', '-i', movingAt50(), ...gray]), width * height)
}

function split(bytes: Buffer, size: number): Buffer[] {
  const count = Math.floor(bytes.length / size)
  return Array.from({ length: count }, (_, i) => bytes.subarray(i * size, (i + 1) * size))
}

/** The peak signal to noise ratio, in dB. */
function likeness(a: Buffer, b: Buffer): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += ((a[i] ?? 0) - (b[i] ?? 0)) ** 2
  return 10 * Math.log10(255 ** 2 / (sum / a.length))
}

it('shows a single moment in each still of interlaced footage', async () => {
  const tools = await aToolContext()
  await copyFile(await fieldsVideo('mp4', 'top', codedFields.h264), path.join(tools.folder, 'out'))
  const facts = await measureMedia(tools, { path: 'out', field: 'result', maxSeconds: 100 })
  const wanted = { ...wantedForStill, patience: new AbortController().signal }
  const gathered = await gatherPictures(tools, { name: 'out', facts }, wanted)
  expect([gathered.width, gathered.height]).toEqual([width, height])
  const pictures = split(
    await readFile(path.join(tools.folder, gathered.path)),
    (width * height * 3) / 2,
  ).map((picture) => picture.subarray(0, width * height))
  const moments = await seen()
  const best = pictures.map((picture) => Math.max(...moments.map((one) => likeness(picture, one))))
  expect(best.length).toBeGreaterThanOrEqual(4)
  expect(Math.min(...best)).toBeGreaterThan(49)
})
