import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createLog } from '../../../containers/errors/log.ts'
import { TimeLeft } from '../../../containers/job/report/time-left.ts'
import { Reporter } from '../../../containers/job/report/send-report.ts'

beforeEach(() => {
  vi.useFakeTimers()
  // Signing takes real time, of which the clock of the test knows nothing.
  vi.spyOn(crypto.subtle, 'importKey').mockResolvedValue({} as never)
  vi.spyOn(crypto.subtle, 'sign').mockResolvedValue(new ArrayBuffer(32))
})

afterEach(() => {
  vi.useRealTimers()
})

/** ffmpeg tells where it is twice a second. */
const stepMs = 500
const minutes = 10

it('a job that renders reports as often as the model of the service counts with', async () => {
  const sent = vi.fn(async () => Response.json({ action: 'carry-on' }))
  vi.stubGlobal('fetch', sent)
  const reports = {
    url: 'http://127.0.0.1/reports',
    key: 'a key of this test only',
    heartbeatSeconds: 20,
  }
  const reporter = new Reporter({
    job: { fence: 1, reports },
    log: createLog(() => undefined),
    onStop: () => undefined,
    left: new TimeLeft(),
  })
  for (let step = 0; step < (minutes * 60_000) / stepMs; step++) {
    reporter.progress('rendering', (step * stepMs) / (minutes * 60_000))
    await vi.advanceTimersByTimeAsync(stepMs)
  }
  reporter.close()
  const reportsAMinute = sent.mock.calls.length / minutes
  const file = '../../../bench/model/measured/reports.json'
  await expect(`${JSON.stringify({ reportsAMinute }, null, 2)}\n`).toMatchFileSnapshot(file)
})
