import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { fireCron } from '../../../scripts/start/fire-cron.ts'
import { eventually } from '../../support/node/eventually.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

async function aWorker() {
  const asked: string[] = []
  const worker = { asked, status: 200, baseUrl: '' }
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    response.writeHead(worker.status).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port was given')
  worker.baseUrl = `http://127.0.0.1:${address.port}`
  return worker
}

describe('fireCron', () => {
  it('lets the sweep run every minute, and when asked to, whatever became of the run before', async () => {
    const worker = await aWorker()
    const faults: string[] = []
    const cron = fireCron(worker.baseUrl, (fault) => void faults.push(fault))
    expect(worker.asked).toEqual([])
    cron.now()
    await eventually(() => expect(worker.asked).toHaveLength(1))
    worker.status = 500
    vi.advanceTimersByTime(60_000)
    await eventually(() => expect(faults).toHaveLength(1))
    expect(faults).toEqual(['The scheduled run was answered with 500'])
    vi.advanceTimersByTime(60_000)
    await eventually(() => expect(worker.asked).toHaveLength(3))
    expect(new Set(worker.asked)).toEqual(
      new Set(['/cdn-cgi/local/scheduled?cron=*%20*%20*%20*%20*']),
    )
    cron.stop()
    expect(vi.getTimerCount()).toBe(0)
  })
})
