import { describe, it } from 'vitest'
import { limits } from '../../../worker/contract/limits.ts'
import { aClient } from '../../support/worker/accounts.ts'
import { bindings } from '../../support/worker/bindings.ts'
import { send } from '../../support/worker/client.ts'
import { advanceSeconds, stopTheClock } from '../../support/worker/clock.ts'
import { standInQueue } from '../../support/worker/job-queue.ts'
import {
  aReadyUpload,
  aReceivedUpload,
  mp4Bytes,
  openUpload,
  putPart,
} from '../../support/worker/uploads.ts'
import { readSettings } from '../../../worker/settings.ts'
import { Documented } from './documented.ts'
import { checkKeyFailures, withoutDatabase } from './key-failures.ts'

stopTheClock()
standInQueue()

const nobodys = '/v1/uploads/u_0000000000000000'
const body = { fileName: 'talk.mp4', sizeInBytes: 5, contentType: 'video/mp4' }
const tooLong = JSON.stringify({ fileName: 'x'.repeat(limits.jsonBodyBytes) })
const writes = 'videos:write'

async function aUsedUpload(client: Awaited<ReturnType<typeof aClient>>): Promise<string> {
  const { uploadId } = await aReadyUpload(client)
  await client.post('/v1/videos', { uploadId })
  return `/v1/uploads/${uploadId}`
}

describe('POST /v1/uploads', () => {
  it('answers as documented', async () => {
    const documented = new Documented('post', '/v1/uploads')
    const client = await aClient()
    documented.check(201, await client.post('/v1/uploads', body))
    documented.check(400, await client.post('/v1/uploads', { ...body, sizeInBytes: 0 }))
    documented.check(413, await client.post('/v1/uploads', { ...body, sizeInBytes: 2 ** 40 }))
    documented.check(413, await client.post('/v1/uploads', tooLong))
    await checkKeyFailures(documented, writes, '/v1/uploads', body)
    documented.expectComplete()
  })
})

describe('GET and DELETE /v1/uploads/{uploadId}', () => {
  it('answer as documented, whatever the status of the upload', async () => {
    const read = new Documented('get', '/v1/uploads/{uploadId}')
    const remove = new Documented('delete', '/v1/uploads/{uploadId}')
    const client = await aClient()
    const open = await openUpload(client, 5)
    read.check(200, await client.get(`/v1/uploads/${open.uploadId}`))
    remove.check(204, await client.delete(`/v1/uploads/${open.uploadId}`))
    const used = await aUsedUpload(client)
    read.check(200, await client.get(used))
    remove.check(409, await client.delete(used))
    read.check(404, await client.get(nobodys))
    remove.check(404, await client.delete(nobodys))
    await checkKeyFailures(read, writes, nobodys)
    await checkKeyFailures(remove, writes, nobodys)
    read.expectComplete()
    remove.expectComplete()
  })
})

describe('POST /v1/uploads/{uploadId}/complete', () => {
  it('answers as documented', async () => {
    const documented = new Documented('post', '/v1/uploads/{uploadId}/complete')
    const client = await aClient()
    const pathOf = ({ uploadId }: { uploadId: string }) => `/v1/uploads/${uploadId}/complete`
    documented.check(200, await client.post(pathOf(await aReceivedUpload(client))))
    const open = pathOf(await openUpload(client, 5))
    documented.check(400, await client.post(open, { parts: 'all' }))
    documented.check(409, await client.post(open))
    documented.check(409, await client.post(`${await aUsedUpload(client)}/complete`))
    documented.check(413, await client.post(open, tooLong))
    const pdf = Uint8Array.from(new TextEncoder().encode('%PDF-1.7 a document'))
    documented.check(422, await client.post(pathOf(await aReceivedUpload(client, pdf))))
    const path = `${nobodys}/complete`
    documented.check(404, await client.post(path))
    await checkKeyFailures(documented, writes, path)
    documented.expectComplete()
  })
})

describe('PUT and OPTIONS /parts/{token}', () => {
  it('PUT answers as documented', async () => {
    const documented = new Documented('put', '/parts/{token}')
    const client = await aClient()
    const { urls, uploadId } = await openUpload(client, 5)
    const ready = await aReadyUpload(client)
    const [url = ''] = urls
    const bytes = mp4Bytes(5)
    documented.check(200, await putPart(url, bytes))
    documented.check(400, await putPart(url, mp4Bytes(4)))
    documented.check(403, await putPart(`${bindings.BASE_URL}/parts/x`, bytes))
    documented.check(409, await putPart(ready.urls[0], mp4Bytes(5000)))
    documented.check(411, await send(new URL(url).pathname, { method: 'PUT' }))
    documented.check(500, await withoutDatabase(() => putPart(url, bytes)))
    await client.delete(`/v1/uploads/${uploadId}`)
    documented.check(404, await putPart(url, bytes))
    advanceSeconds(86_400)
    documented.check(403, await putPart(url, bytes))
    documented.expectComplete()
  })

  it('OPTIONS answers as documented', async () => {
    const documented = new Documented('options', '/parts/{token}')
    const ask = async (origin: string) =>
      send('/parts/x', { method: 'OPTIONS', headers: { Origin: origin } })
    documented.check(403, await ask('https://elsewhere.example'))
    const settings = readSettings(bindings)
    const before = settings.uploadOrigins
    settings.uploadOrigins = new Set(['https://app.example.com'])
    documented.check(204, await ask('https://app.example.com'))
    settings.uploadOrigins = before
    documented.expectComplete()
  })
})
