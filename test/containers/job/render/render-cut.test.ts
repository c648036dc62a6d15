import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { createLog } from '../../../../containers/errors/log.ts'
import { renderCut } from '../../../../containers/job/render/render-cut.ts'
import { countedVideo, shownNumbers } from '../../../support/containers/films/counted-video.ts'
import { cutFilm } from '../../../support/containers/films/cut-film.ts'
import { packetHashes, probe } from '../../../support/containers/run-tool.ts'
import { aServiceForAll, succeed } from '../../../support/containers/service-for-all.ts'
import { aFolder } from '../../../support/containers/tool-context.ts'
import { campaign } from '../../../support/node/campaign.ts'

const coding = (params: string) => [
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-x264-params', params],
  ...['-c:a', 'aac', '-b:a', '128k'],
]

const service = aServiceForAll({ MEDIA_SLOTS: '2' })

async function cutBy(source: string | readonly string[], options: Record<string, unknown>) {
  const { worker, sources } = service
  const files = typeof source === 'string' ? [source] : source
  const inputs = files.map((file) => sources.file(file))
  const { receiver, end } = await succeed(worker, { inputs, options })
  const file = path.join(await aFolder(), 'result.mp4')
  await writeFile(file, receiver.output())
  return { end, file }
}

const removeSegments = [{ startTime: 0.72, endTime: 1.32 }]
const keptNumbers = Array.from({ length: 100 }, (_, i) => i).filter((i) => i < 18 || i >= 33)

it('copies the pictures between cuts, and cuts their sound to the sample', async () => {
  const source = await countedVideo({ seconds: 4, fps: 25, coding: coding('keyint=20:bframes=2') })
  const { end, file } = await cutBy(source, { removeSegments })
  expect(end.trace.plan).toMatchObject({
    ...{ video: 'copy', picture: 'copied but for 1 seam', whyEncoded: null, audio: 'encode' },
    durationSeconds: 3.4,
  })
  // Its tracks are asked about once; which packets it has is read from its index.
  const asked = end.trace.commands.filter(({ args }) => args.at(-1) === 'file:out.mp4')
  expect(asked.filter(({ program }) => program === 'ffprobe')).toHaveLength(1)
  expect(await shownNumbers(file)).toEqual(keptNumbers)
  const hashes = new Set(await packetHashes(source, '0:v'))
  const copied = (await packetHashes(file, '0:v')).filter((hash) => hashes.has(hash))
  expect(copied.length).toBeGreaterThan(70)
  const { streams } = await probe(file)
  expect(streams.map(({ duration }) => Number(duration))).toEqual([
    expect.closeTo(3.4, 2),
    expect.closeTo(3.4, 2),
  ])
})

it('copies clips that are joined and cut', async () => {
  const kind = coding('keyint=20:bframes=2')
  const spec = { seconds: 2, fps: 25, coding: kind }
  const clips = [await countedVideo(spec), await countedVideo({ ...spec, firstNumber: 50 })]
  const { end, file } = await cutBy(clips, { combine: true, removeSegments })
  expect(end.trace.plan).toMatchObject({
    ...{ video: 'copy', picture: 'copied but for 1 seam', whyEncoded: null, audio: 'encode' },
    durationSeconds: 3.4,
  })
  expect(await shownNumbers(file)).toEqual(keptNumbers)
})

campaign('copies VP9 in WebM beside its new sound', async () => {
  const vp9 = ['-c:v', 'libvpx-vp9', '-crf', '20', '-b:v', '0', '-g', '20', '-pix_fmt', 'yuv420p']
  const source = await countedVideo({
    ...{ seconds: 4, fps: 25, extension: 'webm' },
    coding: [...vp9, '-c:a', 'libopus'],
  })
  const { end, file } = await cutBy(source, { removeSegments, outputFormat: 'webm' })
  expect(end.trace.plan).toMatchObject({
    ...{ format: 'webm', video: 'copy', picture: 'copied but for 1 seam', audio: 'encode' },
    whyEncoded: null,
  })
  expect(await shownNumbers(file)).toEqual(keptNumbers)
})

campaign('encodes where no decoder can begin after a cut, and says so', async () => {
  const refreshed = coding('intra-refresh=1:keyint=25:bframes=0')
  const source = await countedVideo({ seconds: 4, fps: 25, coding: refreshed })
  const { end, file } = await cutBy(source, { removeSegments })
  expect(end.trace.plan).toMatchObject({
    ...{ video: 'encode', picture: 'encoded' },
    whyEncoded: expect.stringContaining('pictures lie at the seams') as string,
  })
  expect(await shownNumbers(file)).toEqual(keptNumbers)
})

campaign('takes whatever goes wrong as a reason to encode', async () => {
  const source = await countedVideo({ seconds: 4, fps: 25, coding: coding('keyint=20') })
  const { tools, cutting, result } = await cutFilm(source, [{ from: 18, to: 33 }])
  const log = createLog(() => undefined)
  const broken = await renderCut({ tools, log }, cutting, async () => {
    throw new Error('the disk is gone')
  })
  expect(broken).toEqual({ why: 'the disk is gone' })
  const another = await renderCut({ tools, log }, cutting, async () => ({ ...result, name: 'in0' }))
  expect(another).toEqual({ why: expect.stringMatching(/^it has (100|more) pictures/) as string })
})
