import { json } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { createLog } from '../../../../containers/errors/log.ts'
import { PartReporter } from '../../../../containers/job/part/part-reporter.ts'
import { listenDuringTest } from '../../../support/node/listen-during-test.ts'
import { partReport, type PartReport } from '../../../../worker/contract/job/part-job.ts'

type Answer = { status: number; action: string }

/** Stands in for the service: reads each report as it does, and answers what the test says. */
async function aService(answer: (report: PartReport) => Answer) {
  const { origin } = await listenDuringTest((request, response) => {
    void json(request).then((said) => {
      const { status, action } = answer(partReport.parse(said))
      response.writeHead(status).end(JSON.stringify({ action }))
    })
  })
  return `${origin}/reports`
}

const reporterAt = (url: string, onStop = () => undefined) =>
  new PartReporter({
    job: { fence: 1, n: 4, try: 2, reports: { url, key: 'k', heartbeatSeconds: 0.01 } },
    log: createLog(() => undefined),
    onStop,
    retryMs: 1,
  })

describe('PartReporter', () => {
  it('says at each heartbeat how far the part is, and nothing else of what it was told', async () => {
    const heard = Promise.withResolvers<PartReport>()
    const url = await aService((report) => {
      if (report.type === 'progress' && report.pictures > 0) heard.resolve(report)
      return { status: 200, action: 'carry-on' }
    })
    const reporter = reporterAt(url)
    const told = { type: 'encoded', pictures: 7, bytes: 900 }
    reporter.progress(told)
    const progress = { type: 'progress', fence: 1, n: 4, try: 2, pictures: 7, bytes: 900 }
    expect(await heard.promise).toEqual(progress)
    reporter.close()
  })

  it('ends the part when the service answers that nobody wants it', async () => {
    const stopped = Promise.withResolvers<undefined>()
    const url = await aService(() => ({ status: 200, action: 'stop' }))
    reporterAt(url, () => void stopped.resolve(undefined))
    await stopped.promise
  })

  it('repeats how the part ended until it is heard', async () => {
    const answers = [503, 500, 200]
    const said: PartReport['type'][] = []
    const url = await aService(({ type }) => {
      if (type === 'progress') return { status: 200, action: 'carry-on' }
      said.push(type)
      return { status: answers[said.length - 1] ?? 200, action: 'stop' }
    })
    await reporterAt(url).finish({ type: 'failed', message: 'It broke.' })
    expect(said).toEqual(['failed', 'failed', 'failed'])
  })
})
