import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { expect, it, vi } from 'vitest'
import { log, logTogether } from '../../../worker/service/log.ts'
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

it('writes what comes at nearly the same time at once, a line each, and warnings without waiting', async () => {
  const calls = recordLog()
  const requests = [createExecutionContext(), createExecutionContext(), createExecutionContext()]
  for (const [i, request] of requests.entries()) logTogether('request', { i }, request)
  log('warn', 'of something else')
  expect(calls.lines().map(({ event }) => event)).toEqual(['of something else'])
  await Promise.all(requests.map(waitOnExecutionContext))
  expect(calls.lines().slice(1)).toMatchObject([{ i: 0 }, { i: 1 }, { i: 2 }])
  expect(calls.writes()).toBe(2)
})

it('keeps no more than a hundred lines waiting', () => {
  const calls = recordLog()
  const request = { waitUntil: vi.fn() }
  for (let i = 0; i < 250; i++) logTogether('request', { i }, request)
  expect(calls.lines().map(({ i }) => i)).toEqual(Array.from({ length: 200 }, (_, i) => i))
})
