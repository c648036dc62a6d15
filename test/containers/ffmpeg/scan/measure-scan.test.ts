import { copyFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { measureMedia } from '../../../../containers/ffmpeg/measure-media.ts'
import { campaign, campaignAfter } from '../../../support/node/campaign.ts'
import {
  codedFields,
  fieldsVideo,
  filmVideo,
  wholeVideo,
} from '../../../support/containers/films/fields-video.ts'
import { aToolContext } from '../../../support/containers/tool-context.ts'

async function scanOf(file: string) {
  const tools = await aToolContext()
  await copyFile(file, path.join(tools.folder, 'in0'))
  const request = { path: 'in0', field: 'fileUrl', maxSeconds: 100 }
  return (await measureMedia(tools, request)).video.scan
}

describe('measureScan', () => {
  for (const [i, [name, extension, coding]] of (
    [
      ['H.264', 'mp4', codedFields.h264],
      ['H.264 that says it is progressive', 'mp4', codedFields.unmarked],
      ['MPEG-2', 'mov', codedFields.mpeg2],
      ['DV', 'avi', codedFields.dv],
      ['Motion JPEG', 'avi', codedFields.mjpeg],
    ] as const
  ).entries()) {
    it(
      `finds the fields of ${name}, and which comes first`,
      { tags: campaignAfter(1, i) },
      async () => {
        for (const firstField of ['top', 'bottom'] as const) {
          const file = await fieldsVideo(extension, firstField, coding)
          expect(await scanOf(file)).toMatchObject({ kind: 'interlaced', firstField })
        }
      },
    )
  }

  it('recognises whole pictures, even if the file says that they are interlaced', async () => {
    const said = await wholeVideo(codedFields.h264)
    expect(await scanOf(said)).toMatchObject({ kind: 'progressive', isMarked: true })
    const plain = await wholeVideo(codedFields.unmarked)
    expect(await scanOf(plain)).toMatchObject({ kind: 'progressive', isMarked: false })
  })

  campaign('is not misled by fine patterns or by vertical movement', async () => {
    for (const picture of ['testsrc2', 'testsrc', 'mandelbrot']) {
      const file = await wholeVideo(codedFields.unmarked, `${picture}=s=640x480:r=25`)
      expect(await scanOf(file), picture).toMatchObject({ kind: 'progressive' })
    }
    // Too small to be measured, and too small for television.
    const small = await wholeVideo(codedFields.unmarked, 'testsrc2=s=64x64:r=25')
    expect(await scanOf(small)).toMatchObject({ kind: 'progressive' })
  })

  it('recognises film that was spread over fields for television', async () => {
    expect(await scanOf(await filmVideo())).toMatchObject({ kind: 'telecined', firstField: 'top' })
  })

  campaign('believes the file if nothing moves', async () => {
    const still = 'color=gray:s=320x240:r=25'
    const said = await scanOf(await wholeVideo(codedFields.h264, still))
    expect(said).toMatchObject({ kind: 'interlaced', isMarked: true })
    const plain = await scanOf(await wholeVideo(codedFields.unmarked, still))
    expect(plain).toMatchObject({ kind: 'progressive' })
  })
})
