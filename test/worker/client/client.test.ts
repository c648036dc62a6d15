import { Spool } from 'spool-video'
import { expect, it } from 'vitest'
import { signWebhook } from '../../../worker/service/webhooks/sign-webhook.ts'
import { aClient } from '../../support/worker/accounts.ts'
import { bindings, service } from '../../support/worker/bindings.ts'
import { standInQueue } from '../../support/worker/job-queue.ts'
import { standInMediaWorkers } from '../../support/worker/media-workers.ts'
import { sourceUrl } from '../../support/worker/videos.ts'

standInMediaWorkers()
standInQueue()

it('the built client creates, lists, renames, cancels, waits and deletes inside a Worker', async () => {
  const { apiKey } = await aClient()
  const spool = new Spool({
    apiKey,
    baseUrl: bindings.BASE_URL,
    fetch: async (url, init) => service.fetch(url, init),
  })
  const { videoId } = await spool.videos.create({ fileUrl: sourceUrl, preset: 'captions' })
  expect(await spool.videos.list({ status: 'queued' }).all()).toMatchObject([{ videoId }])
  expect(await spool.videos.rename(videoId, 'new')).toMatchObject({ videoName: 'new' })
  expect(await spool.videos.cancel(videoId)).toMatchObject({ status: 'canceled' })
  await expect(spool.videos.wait(videoId)).rejects.toThrow(`Video ${videoId} was canceled.`)
  await spool.videos.delete(videoId)
  await expect(spool.videos.get(videoId)).rejects.toMatchObject({ status: 404, code: 'NotFound' })

  const refused = spool.videos.create({ fileUrl: sourceUrl, compressionQuality: 101 })
  await expect(refused).rejects.toMatchObject({
    status: 400,
    code: 'ValidationError',
    faults: [{ path: 'compressionQuality' }],
  })
})

it('the built client believes a webhook that the service signs', async () => {
  const { apiKey } = await aClient()
  const spool = new Spool({
    apiKey,
    baseUrl: bindings.BASE_URL,
    fetch: async (url, init) => service.fetch(url, init),
  })
  const { secret } = await spool.webhooks.secret()
  const event = {
    type: 'webhook.test',
    timestamp: '2026-11-22T10:00:00.000Z',
    data: { message: 'Hi' },
  }
  const body = JSON.stringify(event)
  const timestampSeconds = Math.floor(Date.now() / 1000)
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': await signWebhook([secret], { id: 'msg_1', timestampSeconds, body }),
  }
  expect(await spool.webhooks.unwrap(body, headers, { secret })).toEqual(event)
  const changed = spool.webhooks.unwrap(body.replace('Hi', 'Ho'), headers, { secret })
  await expect(changed).rejects.toThrow('No signature is good.')
})
