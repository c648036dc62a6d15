import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { box, boxesIn, fullBox, uint32 } from '../../../containers/cuts/mp4/boxes.ts'
import { faultOfFilm } from '../../../containers/cuts/proof/prove-film.ts'
import { countedVideo } from '../../support/containers/films/counted-video.ts'
import { cutFilm, findCutting } from '../../support/containers/films/cut-film.ts'
import { ffmpeg } from '../../support/containers/run-tool.ts'
import { aFolder } from '../../support/containers/tool-context.ts'

async function film(params: string): Promise<string> {
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
  return countedVideo({
    ...{ seconds: 2, fps: 25, sound: null },
    coding: [...coding, '-x264-params', `keyint=10:scenecut=0:${params}`],
  })
}

const removed = [{ from: 4, to: 7 }]

/** Changes the content of boxes, wherever they are. */
function changeBoxes(bytes: Buffer, change: (type: string, body: Buffer) => Buffer): Buffer {
  const parts = boxesIn(bytes).map(({ type, body }) => {
    const holds = ['moov', 'trak', 'mdia', 'minf', 'stbl'].includes(type)
    return box(type, holds ? changeBoxes(body, change) : change(type, body))
  })
  return Buffer.concat(parts)
}

it('a film whose header describes its coding twice is not cut as it is stored', async () => {
  // The header comes last, so nothing that it points to moves.
  const changed = changeBoxes(await readFile(await film('ref=1')), (type, body) => {
    if (type === 'stsd') return Buffer.concat([uint32(0, 2), body.subarray(8), body.subarray(8)])
    if (type !== 'stsc') return body
    return fullBox('stsc', 0, 0, uint32(2, 1, 30, 1, 2, 20, 2)).subarray(8)
  })
  const inTwo = changeBoxes(changed, (type, body) => {
    if (type !== 'stco') return body
    const first = body.readUInt32BE(8)
    const sizes = sizesIn(changed).slice(0, 30)
    return Buffer.concat([
      uint32(0, 2, first),
      uint32(sizes.reduce((sum, size) => sum + size, first)),
    ])
  })
  const file = path.join(await aFolder(), 'changed.mp4')
  await writeFile(file, inTwo)
  const { choice } = await findCutting(file, removed)
  expect(choice).toEqual({ why: 'its coding changes in the middle' })
})

function sizesIn(bytes: Buffer): number[] {
  let table = Buffer.alloc(0)
  changeBoxes(bytes, (type, body) => {
    if (type === 'stsz') table = Buffer.from(body.subarray(12))
    return body
  })
  return Array.from({ length: table.length / 4 }, (_, i) => table.readUInt32BE(i * 4))
}

it('a copy is not true if parameter sets change among its pictures', async () => {
  const folder = await aFolder()
  const names = ['one.ts', 'two.ts'].map((name) => path.join(folder, name))
  for (const [i, params] of ['ref=1', 'ref=3:cabac=0'].entries()) {
    const [from, to] = [await film(params), String(names[i])]
    await ffmpeg(['-i', from, '-c', 'copy', '-bsf:v', 'h264_mp4toannexb', to])
  }
  const file = path.join(folder, 'joined.mp4')
  await ffmpeg(['-i', `concat:${names.join('|')}`, '-c', 'copy', file])
  const { tools, result, cutting, film: made } = await cutFilm(file, removed)
  const fault = await faultOfFilm(tools, result, cutting, made.samples)
  expect(fault).toBe('its parameter sets change among its pictures')
})
