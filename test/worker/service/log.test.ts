import { expect, it } from 'vitest'
import { aClient } from '../../support/worker/accounts.ts'
import { standInQueue } from '../../support/worker/job-queue.ts'
import { recordLog } from '../../support/worker/log-lines.ts'
import { sourceUrl } from '../../support/worker/videos.ts'

const queue = standInQueue()

it('names the request in lines that are logged deep inside it', async () => {
  const client = await aClient()
  const log = recordLog()
  queue.current.fault = new Error('the queue is full')
  const { status, headers } = await client.post('/v1/videos', { fileUrl: sourceUrl })
  expect(status).toBe(202)
  const requestId = headers.get('X-Request-Id')
  expect(log.lines().map((line) => line['requestId'])).toEqual([requestId, requestId])
  expect(log.lines().map((line) => line['event'])).toEqual([
    'queue refused a job; the sweep will send it',
    'request',
  ])
})
