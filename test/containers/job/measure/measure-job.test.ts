import { describe, expect, it } from 'vitest'
import { makeVideo } from '../../../support/node/fixtures.ts'
import { aServiceForAll, runJob } from '../../../support/containers/service-for-all.ts'
import { percentsOf } from '../../../support/containers/receiver.ts'

const service = aServiceForAll()

async function run(options: Record<string, unknown>) {
  const inputs = [service.sources.file(await makeVideo({ seconds: 4 }))]
  const { receiver, end } = await runJob(service.worker, { inputs, options })
  return { end, reports: receiver.reports }
}

describe('measureJob', () => {
  it('measures the sound along with the files, and shows the result in the plan', async () => {
    const { end, reports } = await run({
      removeSegments: [{ startTime: 1, endTime: 2 }],
      normalizeAudio: true,
    })
    if (end.type !== 'succeeded') throw new Error(JSON.stringify(end))
    expect(end.videoMetadata?.duration).toBeCloseTo(3, 1)
    expect(end.trace.phases.map(({ name }) => name)).toEqual([
      'fetching',
      'measuring',
      'rendering',
      'uploading',
    ])
    expect(end.trace.plan).toMatchObject({
      steps: ['cut-segments', 'clean-audio', 'limit-sound'],
      cuts: { count: 1, removedSeconds: 1, segmentsSeconds: 1, silenceSeconds: 0 },
      sound: { hasNoiseRemoved: false },
    })
    expect(end.warnings).toEqual([])
    const percents = percentsOf(reports)
    expect(percents).toEqual([...percents].sort((a, b) => a - b))
  })

  it('fails with a clear message if nothing is left', async () => {
    const { end } = await run({ removeSegments: [{ startTime: 0, endTime: 100 }] })
    expect(end).toMatchObject({
      type: 'failed',
      reason: 'nothing_left',
      message: 'removeSegments leaves nothing of the video.',
      retryable: false,
    })
  })
})
