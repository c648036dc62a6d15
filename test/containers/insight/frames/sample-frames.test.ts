import { copyFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { measureMedia } from '../../../../containers/ffmpeg/measure-media.ts'
import { sampleFrames } from '../../../../containers/insight/frames/sample-frames.ts'
import { makeThumbnail, wantedForStill } from '../../../../containers/thumbnail/make-thumbnail.ts'
import { makeFile } from '../../../support/node/fixtures.ts'
import { aToolContext } from '../../../support/containers/tool-context.ts'
import { campaign } from '../../../support/node/campaign.ts'

const sampling = { maxPixels: 250_000, maxEnlargement: 2, maxFrames: 16 }

it('uses the pictures that the thumbnail was chosen from, and sees every shot in its colour', async () => {
  const tools = await aToolContext()
  const shots = ['0xc02020', '0x20a020', '0x2020c0'].map(
    (color) => `color=c=${color}:s=320x240:r=25:d=2,drawgrid=w=40:h=40:t=4:c=black`,
  )
  const source = await makeFile('mp4', [
    ...shots.flatMap((shot) => ['-f', 'lavfi', '-i', shot]),
    ...['-filter_complex', 'concat=n=3', '-c:v', 'libx264', '-pix_fmt', 'yuv420p'],
  ])
  await copyFile(source, path.join(tools.folder, 'out'))
  const facts = await measureMedia(tools, { path: 'out', field: 'result', maxSeconds: 100 })
  const video = { name: 'out', facts }
  const wanted = { ...wantedForStill, patience: new AbortController().signal }
  const { pictures } = await makeThumbnail(tools, video, wanted)
  const before = tools.commands.length
  const { looks, frames } = await sampleFrames(tools, { ...video, pictures }, sampling)
  const after = tools.commands.slice(before)
  expect(after).toHaveLength(1)
  expect(after[0]?.args).not.toContain('file:out')
  expect([frames[0]?.width, frames[0]?.height]).toEqual([577, 433])
  expect(looks).toHaveLength(Math.ceil(pictures.count / 2))
  expect(looks.length).toBeGreaterThanOrEqual(12)
  const strongest = frames.map(({ pixels }) => {
    const color = [0, 1, 2].map((part) =>
      pixels.reduce((sum, value, i) => (i % 3 === part ? sum + value : sum), 0),
    )
    return color.indexOf(Math.max(...color))
  })
  expect([...new Set(strongest)]).toEqual([0, 1, 2])
})

campaign('gathers pictures itself if no thumbnail was asked for', async () => {
  const tools = await aToolContext()
  const source = await makeFile('mp4', [
    ...['-f', 'lavfi', '-i', 'testsrc2=s=160x120:r=25:d=3', '-pix_fmt', 'yuv420p'],
  ])
  await copyFile(source, path.join(tools.folder, 'out'))
  const facts = await measureMedia(tools, { path: 'out', field: 'result', maxSeconds: 100 })
  const { looks } = await sampleFrames(tools, { name: 'out', facts }, sampling)
  expect(looks.length).toBeGreaterThanOrEqual(10)
})
