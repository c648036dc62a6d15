import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { inFormerVersion } from '../../worker/contract/media-job.ts'
import { optionsSchema } from '../../worker/contract/options.ts'
import type { Report } from '../../worker/contract/report.ts'
import {
  formerCancelAnswer,
  formerHealth,
  formerJob,
  formerReport,
} from '../support/node/former-version.ts'
import { listBesideFiles } from '../../containers/job/list-beside.ts'
import { reportInVersion } from '../../containers/job/report-in-version.ts'
import { eventually } from '../support/node/eventually.ts'
import { aJob } from '../support/containers/a-job.ts'
import { startMediaWorker, type MediaWorker } from '../support/containers/media-worker.ts'
import { startReceiver } from '../support/containers/receiver.ts'
import { startSources, type SourceServer } from '../support/containers/sources.ts'

let worker: MediaWorker
let sources: SourceServer

beforeAll(async () => {
  worker = await startMediaWorker()
  sources = await startSources()
})
afterAll(async () => {
  await worker.stop()
  await sources.close()
})

/** A job as a service of the former version sends it. */
async function aFormerJob(url: string) {
  const receiver = await startReceiver()
  onTestFinished(receiver.close)
  const job = aJob({ inputs: [url], reportsUrl: receiver.reportsUrl })
  return { receiver, job: formerJob.parse(JSON.parse(JSON.stringify(inFormerVersion(job)))) }
}

describe('a media worker, asked by a service of the former version', () => {
  it('takes its job, waits aside, and says nothing that the service would not understand', async () => {
    const late: (() => void)[] = []
    const url = sources.route('/late.mp4', (_request, response) => {
      response.write('no video')
      late.push(() => response.end())
    })
    const { receiver, job } = await aFormerJob(url)
    expect((await worker.post('/jobs', job)).status).toBe(202)
    await eventually(async () => {
      const health = await fetch(`${worker.origin}/health`)
      expect(await health.json()).toMatchObject({ running: 0, fetching: 1 })
    })
    late.forEach((end) => end())
    const end = await receiver.next('failed')
    expect(end.reason).toBe('source_not_media')
    for (const said of receiver.reports) expect(() => formerReport.parse(said)).not.toThrow()
  })

  it('answers its cancel and its question for health in words that it knows', async () => {
    const health = await fetch(`${worker.origin}/health`)
    expect(formerHealth.parse(await health.json())).toMatchObject({ slots: 1 })
    const url = sources.route('/never.mp4', (_request, response) => void response.write('x'))
    const { job } = await aFormerJob(url)
    expect((await worker.post('/jobs', job)).status).toBe(202)
    const { jobId, fence } = job
    const answer = await worker.post('/jobs/cancel', { jobId, fence, mood: 'good' })
    expect(formerCancelAnswer.parse(await answer.json())).toMatchObject({ canceled: true })
  })

  it('names a phase that the service knows', () => {
    const listening: Report = {
      ...{ type: 'progress', fence: 1, sequence: 1 },
      ...{ phase: 'transcribing', progressPercent: 30 },
    }
    const said = formerReport.parse(reportInVersion(2, listening))
    expect(said).toMatchObject({ phase: 'measuring', progressPercent: 30 })
    expect(reportInVersion(3, listening)).toBe(listening)
  })

  it('fetches what options name beside sources where the option says', () => {
    const font = 'https://example.com/own.ttf'
    const options = optionsSchema.parse({ elements: [{ type: 'text', text: 'Hello', font }] })
    const field = 'elements[0].font'
    expect(listBesideFiles({ options })).toMatchObject([{ field, url: font, origin: 'customer' }])
    const beside = [{ field, url: 'http://files.example/own.ttf', origin: 'link' as const }]
    expect(listBesideFiles({ options, beside })).toMatchObject([
      { field, url: 'http://files.example/own.ttf', origin: 'link' },
    ])
  })
})

describe('a media worker, asked by a service of the next version', () => {
  it('refuses the job, naming the version, so that it is asked again in its own', async () => {
    const job = aJob({ inputs: ['http://a.example/'], reportsUrl: 'http://b.example/' })
    const answer = await worker.post('/jobs', { ...job, version: 4, mood: 'good' })
    expect(answer.status).toBe(400)
    expect(await answer.text()).toMatch(/\bversion: /)
  })
})
