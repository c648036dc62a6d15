import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { makeVideo } from '../support/node/fixtures.ts'
import { aJob } from '../support/containers/a-job.ts'
import { aReceiver, aServiceForAll } from '../support/containers/service-for-all.ts'
import { campaign } from '../support/node/campaign.ts'

const service = aServiceForAll({})

/** A source that is sent when the test says so. */
function heldSource(path: string) {
  const held: ServerResponse[] = []
  const url = service.sources.route(path, (_request, response) => {
    response.writeHead(200).write(randomBytes(1))
    held.push(response)
  })
  return { url, end: () => held.forEach((response) => response.end()) }
}

type Offer = { account: string; jobId: string; urls: readonly string[] }

async function offer({ account, jobId, urls }: Offer) {
  const receiver = await aReceiver()
  const options = { combine: urls.length > 1 }
  const job = aJob({ inputs: urls, reportsUrl: receiver.reportsUrl, account, jobId, options })
  const { status } = await service.worker.post('/jobs', job)
  return { receiver, job, status }
}

describe('a media worker with one slot', () => {
  campaign(
    'runs the job of another account while fifty files of the first one are slow',
    async () => {
      const { url, end } = heldSource('/held.mp4')
      const urls = Array.from({ length: 50 }, () => url)
      const slow = await offer({ account: 'a_slow', jobId: 'j_slow', urls })
      expect(slow.status).toBe(202)
      const aside = await slow.receiver.when((said) => said.type === 'progress' && !!said.slotFree)
      expect(aside).toMatchObject({ phase: 'fetching' })
      const health = await fetch(`${service.worker.origin}/health`)
      expect(await health.json()).toMatchObject({ slots: 1, running: 0, fetching: 1 })

      const quick = service.sources.file(await makeVideo({ seconds: 1 }))
      const other = await offer({ account: 'a_quick', jobId: 'j_quick', urls: [quick] })
      expect(other.status).toBe(202)
      const done = await other.receiver.end()
      expect(done.type).toBe('succeeded')
      expect(slow.receiver.reports.every(({ type }) => type === 'progress')).toBe(true)

      const { jobId, fence } = slow.job
      const canceled = await service.worker.post('/jobs/cancel', { jobId, fence })
      expect(await canceled.json()).toMatchObject({ canceled: true })
      end()
    },
  )

  it('continues a job when its slow source has arrived, and records what it waited for', async () => {
    const { url, end } = heldSource('/late.bin')
    const slow = await offer({ account: 'a_slow', jobId: 'j_late', urls: [url] })
    await slow.receiver.when((said) => said.type === 'progress' && !!said.slotFree)
    const waiting = heldSource('/waiting.bin')
    const other = await offer({ account: 'a_other', jobId: 'j_other', urls: [waiting.url] })
    expect(other.status).toBe(202)
    end()
    // One byte is not a video, but finding that out needs a slot, so it has to wait for that of the other job.
    const failed = await slow.receiver.next('failed')
    expect(failed.reason).toBe('source_not_media')
    expect(failed.trace.phases.map(({ name }) => name)).toEqual([
      'fetching',
      'waiting',
      'measuring',
    ])
    expect(other.receiver.reports.some((said) => said.type === 'progress' && said.slotFree)).toBe(
      true,
    )
    waiting.end()
    await other.receiver.next('failed')
  })
})
