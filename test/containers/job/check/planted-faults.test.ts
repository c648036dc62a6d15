import { afterAll, beforeAll, expect, it } from 'vitest'
import { aJob, aJobId } from '../../../support/containers/a-job.ts'
import { makeFaultyFfmpeg, type FaultyFfmpeg } from '../../../support/containers/faulty-ffmpeg.ts'
import { aLivelyVideo } from '../../../support/containers/films/checked-film.ts'
import {
  plantedFaults,
  type PlantedFault,
} from '../../../support/containers/films/planted-faults.ts'
import { startMediaWorker, type MediaWorker } from '../../../support/containers/media-worker.ts'
import { aReceiver, aSourceServer } from '../../../support/containers/service-for-all.ts'
import { campaignAfter } from '../../../support/node/campaign-after.ts'

const text = [
  'WEBVTT\n\n00:00:00.200 --> 00:00:01.200\nThe first words\n',
  '00:00:01.400 --> 00:00:02.400\nWords in the middle\n',
].join('\n')
const cut = { startTime: 1, endTime: 1.4 }
const options: Record<PlantedFault['of'], Record<string, unknown>> = {
  plain: { trim: { start: 0.5 }, compressionQuality: 80 },
  loud: { normalizeAudio: true, compressionQuality: 80 },
  captioned: { captions: { source: { text } } },
  cut: { removeSegments: [cut], compressionQuality: 80 },
  joined: { combine: true, compressionQuality: 80 },
  faster: { speed: 1.25 },
}

let ffmpeg: FaultyFfmpeg
let worker: MediaWorker
beforeAll(async () => {
  ffmpeg = await makeFaultyFfmpeg()
  worker = await startMediaWorker({ PATH: ffmpeg.path })
})
afterAll(async () => {
  await Promise.all([worker.stop(), ffmpeg.remove()])
})

/** How a job ends whose film is spoilt. */
async function render({ of }: Pick<PlantedFault, 'of'>) {
  const [sources, receiver] = [await aSourceServer(), await aReceiver({ allowsAlarms: true })]
  const file = sources.file(await aLivelyVideo())
  const inputs = of === 'joined' ? [file, file] : [file]
  const job = aJob({
    ...{ inputs, reportsUrl: receiver.reportsUrl, options: options[of] },
    jobId: aJobId(),
  })
  expect((await worker.post('/jobs', job)).status).toBe(202)
  return { end: await receiver.end(), receiver }
}

it.each(Object.keys(options) as PlantedFault['of'][])(
  'finds nothing in a film that came out as it had to: %s',
  { tags: ['campaign'] },
  async (of) => {
    await ffmpeg.plant('true')
    const { end } = await render({ of })
    if (end.type !== 'succeeded') throw new Error(JSON.stringify(end))
    expect(end.checks?.filter(({ result }) => result !== 'passed')).toEqual([])
    expect(end.checks?.length).toBe(14)
  },
)

for (const [i, [name, fault]] of Object.entries(plantedFaults).entries()) {
  it(`finds that ${name}`, { tags: campaignAfter(4, i) }, async () => {
    await ffmpeg.plant(fault.how)
    const { end, receiver } = await render(fault)
    if (end.type !== 'succeeded' && end.type !== 'failed') throw new Error(JSON.stringify(end))
    const found = end.checks?.find(({ name: of }) => of === fault.check)
    expect([end.type, found?.result]).toEqual([
      fault.ends === 'failed' ? 'failed' : 'succeeded',
      fault.ends,
    ])
    if (end.type === 'failed') {
      expect(end.reason).toBe('check_failed')
      expect(end.message).toMatch(new RegExp(`^${fault.check}: `))
    }
    if (found?.still) expect(receiver.output(found.still).subarray(0, 2)).toEqual(jpegBegins)
    expect(found?.still === undefined).toBe(
      fault.check === 'loudness' || fault.check === 'channels',
    )
  })
}

const jpegBegins = Buffer.from([0xff, 0xd8])

it('renders a film again that failed a check, and keeps what passes', async () => {
  await ffmpeg.plant('spoil -t 1 -c copy', 'once')
  const { end } = await render({ of: 'plain' })
  if (end.type !== 'succeeded') throw new Error(JSON.stringify(end))
  expect(end.videoMetadata?.duration).toBeCloseTo(3.5, 1)
  expect(end.checks?.filter(({ result }) => result !== 'passed')).toEqual([])
})
