import { describe, expect, it } from 'vitest'
import { makeFile } from '../../../support/node/fixtures.ts'
import { plainVideo } from '../../../support/containers/films/element-files.ts'
import {
  codedFields,
  fieldsVideo,
  filmVideo,
  movingAt50,
  wholeVideo,
} from '../../../support/containers/films/fields-video.ts'
import { likenessTo } from '../../../support/containers/films/likeness.ts'
import { renderVideo } from '../../../support/containers/films/render-video.ts'
import { probe } from '../../../support/containers/run-tool.ts'
import { campaign } from '../../../support/node/campaign.ts'

/** The first of every two pictures: what each deinterlaced one shows. */
const firstOfTwo = `${movingAt50()},select='not(mod(n,2))',setpts=N/25/TB,setsar=1`

describe('interlaced footage', () => {
  for (const [firstField, coding, tags] of [
    ['top', 'h264', []],
    ['bottom', 'unmarked', ['campaign']],
    ['top', 'unmarked', ['campaign']],
    ['bottom', 'h264', ['campaign']],
  ] as const) {
    it(
      `is rendered from whole pictures: ${firstField} first, ${coding}`,
      { tags: [...tags] },
      async () => {
        const source = await fieldsVideo('mp4', firstField, codedFields[coding])
        const { file, plan } = await renderVideo([{ file: source }], { compressionQuality: 90 })
        expect(plan).toMatchObject({ video: 'encode', sources: [{ scan: 'interlaced' }] })
        expect(await likenessTo(source, firstOfTwo)).toBeLessThan(27)
        expect(await likenessTo(file, firstOfTwo)).toBeGreaterThan(35)
        const [picture] = (await probe(file)).streams
        expect(picture).toMatchObject({ field_order: 'progressive', nb_read_frames: '25' })
      },
    )
  }

  campaign('is deinterlaced in a joined video, and a clip beside it is not', async () => {
    const fields = await fieldsVideo('mp4', 'top', codedFields.h264)
    const whole = await makeFile('mp4', ['-f', 'lavfi', '-i', firstOfTwo, ...codedFields.unmarked])
    const { file } = await renderVideo([{ file: fields }, { file: whole }], {})
    const twice = `${firstOfTwo},loop=1:25,setpts=N/25/TB`
    expect(await likenessTo(file, twice)).toBeGreaterThan(35)
  })

  campaign('is deinterlaced as an element', async () => {
    const below = await plainVideo('#000000', 1, { size: '720x576' })
    const element = { type: 'video', size: { width: '100%', height: '100%' } }
    const fields = await fieldsVideo('mp4', 'top', codedFields.h264)
    const { file } = await renderVideo(
      [{ file: below }],
      { elements: [{ ...element, url: 'https://a.example/x.mp4' }] },
      [fields],
    )
    expect(await likenessTo(file, firstOfTwo)).toBeGreaterThan(33)
  })

  it('stays interlaced in a copy, with a warning', async () => {
    const source = await fieldsVideo('mp4', 'top', codedFields.h264)
    const { plan } = await renderVideo([{ file: source }], {})
    expect(plan.video).toBe('copy')
    expect(plan.warnings).toEqual([
      expect.stringMatching(/^The source is interlaced, and stays so/),
    ])
  })
})

campaign('whole pictures lose nothing even if the file says that they are interlaced', async () => {
  const source = await wholeVideo(codedFields.h264)
  const { file } = await renderVideo([{ file: source }], { compressionQuality: 99 })
  expect(await likenessTo(file, `${movingAt50()},setsar=1`)).toBeGreaterThan(40)
  expect((await probe(file)).streams[0]).toMatchObject({ field_order: 'progressive' })
})

describe('film that was spread over fields for television', { tags: 'campaign' }, () => {
  it('gets back its original pictures and rate', async () => {
    const { file, plan } = await renderVideo([{ file: await filmVideo() }], {
      compressionQuality: 90,
    })
    expect(plan.sources).toMatchObject([{ scan: 'telecined' }])
    const [picture] = (await probe(file)).streams
    expect(picture).toMatchObject({ avg_frame_rate: '24000/1001' })
    const film = `${movingAt50(2)},setpts=N*1001/24000/TB,fps=24000/1001,setsar=1`
    expect(await likenessTo(file, film, 40)).toBeGreaterThan(35)
  })

  campaign('is cut at the requested times', async () => {
    const removeSegments = [{ startTime: 1, endTime: 2 }]
    const { file } = await renderVideo([{ file: await filmVideo() }], { removeSegments })
    const [picture] = (await probe(file)).streams
    expect(Number(picture?.['duration'])).toBeCloseTo(100 / 24 - 1, 0)
  })
})
