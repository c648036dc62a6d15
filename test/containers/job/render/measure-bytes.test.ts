import { copyFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { measureBytes } from '../../../../containers/job/render/encode-film.ts'
import { measureMedia } from '../../../../containers/ffmpeg/measure-media.ts'
import { aToolContext } from '../../../support/containers/tool-context.ts'
import { makeFile } from '../../../support/node/fixtures.ts'

it('counts the same bytes of the same pictures up to each moment, of an MP4 without starting a program', async () => {
  const film = await makeFile('mp4', [
    ...['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25:d=3'],
    ...['-c:v', 'libx264', '-bf', '2', '-g', '25', '-pix_fmt', 'yuv420p'],
  ])
  const files = { mp4: film, mkv: await makeFile('mkv', ['-i', film, '-c', 'copy']) }
  const measured = await Promise.all(
    Object.entries(files).map(async ([name, file]) => {
      const tools = await aToolContext()
      await copyFile(file, path.join(tools.folder, name))
      const facts = await measureMedia(tools, { path: name, field: 'fileUrl', maxSeconds: 60 })
      const before = tools.commands.length
      const bytesTo = await measureBytes(tools, name, facts)
      const bytes = [0.5, 1, 1.75, 2.5, 9].map((seconds) => Math.round(bytesTo(seconds)))
      return { bytes, programs: tools.commands.length - before }
    }),
  )
  const [ofMp4, ofMkv] = measured
  expect(measured.map(({ programs }) => programs)).toEqual([0, 1])
  expect(ofMp4?.bytes).toEqual(ofMkv?.bytes)
  expect(ofMp4?.bytes[0]).toBeGreaterThan(0)
})
