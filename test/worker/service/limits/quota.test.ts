import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { createApp } from '../../../../worker/app.ts'
import { aClient, anAccount } from '../../../support/worker/accounts.ts'
import { bindings, service } from '../../../support/worker/bindings.ts'
import type { Client } from '../../../support/worker/client.ts'
import { aFile, boundary, formOf, uploadPath } from '../../../support/worker/upload-form.ts'
import { mp4Bytes, openUpload } from '../../../support/worker/uploads.ts'
import { aFinishedVideo, sourceUrl } from '../../../support/worker/videos.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'

standInForAll()

const megabyte = 1_000_000

async function withQuota(bytes: number): Promise<{ client: Client; accountId: string }> {
  const app = createApp()
  const env = { ...bindings, MAX_ACCOUNT_BYTES: String(bytes) }
  vi.spyOn(service, 'fetch').mockImplementation(async (address, init) => {
    const context = createExecutionContext()
    const request = new Request(address, init)
    const answer = await app.fetch(request, env, context)
    await waitOnExecutionContext(context)
    return answer
  })
  const accountId = await anAccount()
  return { client: await aClient({ accountId }), accountId }
}

const announced = (sizeInBytes: number) => ({
  fileName: 'a.mp4',
  sizeInBytes,
  contentType: 'video/mp4',
})

async function sendForm(client: Client, bytes: Uint8Array, isDeclared: boolean) {
  const form = formOf([aFile(bytes)])
  const length = { 'Content-Length': String(form.length) }
  return client.send(uploadPath, {
    method: 'POST',
    body: isDeclared ? form : new Blob([form]).stream(),
    headers: {
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
      ...(isDeclared && length),
    },
  })
}

async function storageOf(client: Client) {
  const { now } = (await client.get('/v1/usage')).json as { now: { storage: object } }
  return now.storage
}

async function uploadRows(accountId: string): Promise<number> {
  const query = bindings.DB.prepare('SELECT count(*) AS n FROM uploads WHERE account_id = ?')
  return (await query.bind(accountId).first<number>('n')) ?? 0
}

describe('what an account may keep', () => {
  it('has no limit where nobody sets one', async () => {
    const client = await aClient()
    await openUpload(client, 30 * megabyte)
    expect(await storageOf(client)).toEqual({ usedBytes: 30 * megabyte, limitBytes: null })
  })

  it('counts open uploads, and refuses with 403 what goes beyond it', async () => {
    const { client, accountId } = await withQuota(10 * megabyte)
    const first = await openUpload(client, 6 * megabyte)
    const refused = await client.post('/v1/uploads', announced(5 * megabyte))
    expect(refused).toMatchObject({ status: 403, json: { error: 'QuotaExceeded' } })
    expect(refused.json['message']).toContain('uses 6.0 MB of its 10.0 MB')
    expect(await uploadRows(accountId)).toBe(1)
    expect(await storageOf(client)).toEqual({
      usedBytes: 6 * megabyte,
      limitBytes: 10 * megabyte,
    })
    expect((await client.delete(`/v1/uploads/${first.uploadId}`)).status).toBe(204)
    await openUpload(client, 10 * megabyte)
  })

  it('promises the same room to one of many uploads at once', async () => {
    const { client } = await withQuota(10 * megabyte)
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () => client.post('/v1/uploads', announced(4 * megabyte))),
    )
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([201, 201, 403, 403, 403, 403, 403, 403])
  })

  it.each([true, false])('refuses a form that is too large, length declared: %s', async (is) => {
    const { client, accountId } = await withQuota(megabyte)
    const refused = await sendForm(client, mp4Bytes(megabyte + 1), is)
    expect(refused).toMatchObject({ status: 403, json: { error: 'QuotaExceeded' } })
    expect(await uploadRows(accountId)).toBe(0)
    expect((await sendForm(client, mp4Bytes(megabyte / 2), is)).status).toBe(202)
  })

  it('keeps a result that goes beyond it, and refuses the next video until there is room', async () => {
    const { client } = await withQuota(1)
    const { videoId } = await aFinishedVideo(client)
    const refused = await client.post('/v1/videos', { fileUrl: sourceUrl })
    expect(refused).toMatchObject({ status: 403, json: { error: 'QuotaExceeded' } })
    expect((await client.delete(`/v1/videos/${videoId}`)).status).toBe(204)
    expect((await client.post('/v1/videos', { fileUrl: sourceUrl })).status).toBe(202)
  })
})
