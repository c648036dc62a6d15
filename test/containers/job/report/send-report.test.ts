import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Reporter, type ReporterOptions } from '../../../../containers/job/report/send-report.ts'
import { TimeLeft } from '../../../../containers/job/report/time-left.ts'
import { work } from '../../../../containers/job/report/work-kinds.ts'
import { createLog } from '../../../../containers/errors/log.ts'
import {
  reportKey,
  startReceiver,
  type Receiver,
  percentsOf,
} from '../../../support/containers/receiver.ts'

const trace = { phases: [], commands: [] }

type Given = Partial<ReporterOptions> & { heartbeatSeconds?: number }

async function aReporter({ heartbeatSeconds = 600, ...options }: Given = {}) {
  const receiver: Receiver = await startReceiver()
  const reporter = new Reporter({
    job: {
      fence: 3,
      reports: { url: receiver.reportsUrl, key: reportKey, heartbeatSeconds },
    },
    log: createLog(() => undefined),
    onStop: () => undefined,
    throttleMs: 1,
    retryMs: 1,
    left: new TimeLeft(),
    ...options,
  })
  onTestFinished(async () => {
    reporter.close()
    await receiver.close()
  })
  return { receiver, reporter }
}

describe('Reporter', () => {
  it('numbers its reports and signs them for its fence', async () => {
    const { receiver, reporter } = await aReporter()
    reporter.progress('fetching', 0.1)
    await receiver.next('progress')
    await reporter.finish({ type: 'released', trace })
    expect(receiver.reports.map(({ fence, sequence, type }) => [fence, sequence, type])).toEqual([
      [3, 1, 'progress'],
      [3, 2, 'released'],
    ])
  })

  it('tells how far the job is and how long it still takes, and never goes back', async () => {
    const clock = { ms: 0 }
    const left = new TimeLeft({}, () => clock.ms)
    const { receiver, reporter } = await aReporter({ left })
    left.expect({ measuring: work('measuring'), rendering: work('encoding mp4') })
    for (const [second, share] of [
      [1, 0.1],
      [5, 0.5],
      [6, 0.2],
      [20, 1],
      [30, 1],
    ] as const) {
      clock.ms = second * 1000
      reporter.progress('rendering', share)
      const sequence = receiver.reports.length + 1
      await receiver.when((said) => said.sequence === sequence)
    }
    const shown = percentsOf(receiver.reports)
    expect(shown).toEqual([...shown].sort((a, b) => a - b))
    expect(shown.at(-1)).toBeGreaterThan(50)
    expect(shown.at(-1)).toBeLessThan(100)
    const [, half] = receiver.reports.flatMap((said) =>
      said.type === 'progress' ? [said.left] : [],
    )
    expect(half?.seconds).toBeGreaterThan(2)
    expect(half?.seconds).toBeLessThan(8)
    expect(half?.least).toBeLessThan(half?.seconds ?? 0)
  })

  it('drops progress that newer progress overtakes', async () => {
    const { receiver, reporter } = await aReporter({ throttleMs: 100 })
    for (let percent = 1; percent <= 50; percent++) reporter.progress('rendering', percent / 100)
    reporter.progress('uploading', 0)
    await receiver.when((said) => said.type === 'progress' && said.phase === 'uploading')
    expect(receiver.reports.length).toBeLessThanOrEqual(2)
  })

  it('sends a heartbeat if there is no progress', async () => {
    const { receiver, reporter } = await aReporter({ heartbeatSeconds: 0.02 })
    reporter.progress('rendering', 0.4)
    await receiver.when((said) => said.sequence === 4)
    expect(percentsOf(receiver.reports)).toHaveLength(4)
  })

  it('repeats progress and last words that did not get through', async () => {
    const { receiver, reporter } = await aReporter()
    receiver.answerWith({ status: 500 })
    reporter.progress('rendering', 0.4)
    await receiver.when((said) => said.sequence === 2)
    const finished = reporter.finish({ type: 'released', trace })
    await receiver.next('released')
    receiver.answerWith({ status: 200, body: { action: 'carry-on' } })
    await finished
    expect(receiver.reports.filter(({ type }) => type === 'released').length).toBeGreaterThan(1)
  })

  it('stops the job if the service has the same result, and goes on if it does not understand the question', async () => {
    const what = { engine: '1.0.0-abc', files: [{ field: 'fileUrl', sha256: 'a'.repeat(64) }] }
    for (const [answer, stops] of [
      [{ status: 200, body: { action: 'stop' } }, true],
      [{ status: 400 }, false],
    ] as const) {
      const onStop = vi.fn()
      const { receiver, reporter } = await aReporter({ onStop })
      receiver.answerWith(answer)
      await reporter.fetched(what)
      expect(receiver.reports[0]).toMatchObject({ type: 'fetched', ...what })
      expect(onStop).toHaveBeenCalledTimes(stops ? 1 : 0)
      receiver.answerWith({ status: 200, body: { action: 'carry-on' } })
      await reporter.finish({ type: 'released', trace })
      expect(receiver.reports.some(({ type }) => type === 'released')).toBe(!stops)
    }
  })

  it('gives up the last report when its time is over', async () => {
    const { receiver, reporter } = await aReporter()
    receiver.answerWith({ status: 500 })
    const patience = new AbortController()
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(patience.signal)
    onTestFinished(() => timeout.mockRestore())
    const finished = reporter.finish({ type: 'released', trace }, 50)
    await receiver.next('released')
    patience.abort()
    await finished
    expect(timeout.mock.calls[0]).toEqual([50])
  })

  it('sends nothing more after it is closed', async () => {
    for (const answer of [
      { status: 200, body: { action: 'stop' } },
      { status: 409 },
      { status: 404 },
    ]) {
      const stopped = Promise.withResolvers<void>()
      const { receiver, reporter } = await aReporter({ onStop: stopped.resolve })
      receiver.answerWith(answer)
      reporter.progress('rendering', 0.4)
      await stopped.promise
      reporter.progress('rendering', 0.5)
      await reporter.finish({ type: 'released', trace })
      expect(receiver.reports).toHaveLength(1)
    }
  })
})
