import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeFaultyFfmpeg, type FaultyFfmpeg } from '../../../support/containers/faulty-ffmpeg.ts'
import {
  plantedFaults,
  sourcesToSpoil,
  spoiltOptions,
  type PlantedFault,
} from '../../../support/containers/films/planted-faults.ts'
import { startMediaWorker, type MediaWorker } from '../../../support/containers/media-worker.ts'
import { aSourceServer, runJob } from '../../../support/containers/service-for-all.ts'
import { campaignAfter } from '../../../support/node/campaign.ts'

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
  const sources = await aSourceServer()
  const inputs = (await sourcesToSpoil(of)).map((file) => sources.file(file))
  return runJob(worker, { inputs, options: spoiltOptions[of] }, { allowsAlarms: true })
}

for (const [i, [name, fault]] of Object.entries(plantedFaults).entries()) {
  it(`ends as it has to if ${name}`, { tags: campaignAfter(1, i) }, async () => {
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
    expect(found?.still).toBeDefined()
  })
}

const jpegBegins = Buffer.from([0xff, 0xd8])

it('names the check of a film that is empty each time', async () => {
  await ffmpeg.plant(': > "$made"')
  const { end } = await render({ of: 'plain' })
  expect(end).toMatchObject({ type: 'failed', reason: 'check_failed' })
  expect(end).toMatchObject({ message: expect.stringMatching(/^decoding: /) as string })
})

it('renders a film again that failed a check, and keeps what passes', async () => {
  await ffmpeg.plant('spoil -t 1 -c copy', 'once')
  const { end } = await render({ of: 'plain' })
  if (end.type !== 'succeeded') throw new Error(JSON.stringify(end))
  expect(end.videoMetadata?.duration).toBeCloseTo(3.5, 1)
  expect(end.checks?.filter(({ result }) => result !== 'passed')).toEqual([])
})
