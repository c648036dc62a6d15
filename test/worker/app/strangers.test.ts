import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { appRoutes, publicRoutes } from '../../../worker/contract/routes.ts'
import { aClient } from '../../support/worker/accounts.ts'
import { stopTheClock } from '../../support/worker/clock.ts'
import { standInQueue } from '../../support/worker/job-queue.ts'
import { aPerson, standBeforeSignIn, Visitor } from '../../support/worker/dashboard/visitor.ts'
import { anEvent } from '../../support/worker/webhooks.ts'

stopTheClock()
standInQueue()
standBeforeSignIn()

/** The ids of one object of each kind in the account. */
async function idsOf({ accountId }: { accountId: string }): Promise<Record<string, string>> {
  const client = await aClient({ accountId })
  const video = await client.post('/v1/videos', { fileUrl: 'https://example.com/a.mp4' })
  const upload = await client.post('/v1/uploads', {
    fileName: 'a.mp4',
    contentType: 'video/mp4',
    sizeInBytes: 100,
  })
  const url = 'https://hooks.example.com/all'
  const endpoint = await client.post('/v1/webhooks/endpoints', { url })
  const preset = await client.send('/v1/presets/mine', {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ fields: { removeNoise: true } }),
  })
  const fileUrl = 'https://example.com/a.mp4'
  const batch = await client.post('/v1/batches', { items: [{ fileUrl }] })
  const { deliveryId } = await anEvent(client)
  return z.record(z.string(), z.string()).parse({
    videoId: video.json['videoId'],
    jobId: video.json['jobId'],
    uploadId: upload.json['uploadId'],
    keyId: client.keyId,
    deliveryId,
    endpointId: endpoint.json['endpointId'],
    batchId: batch.json['batchId'],
    presetName: preset.json['name'],
  })
}

/** Bodies that pass each schema, where a route has one. */
const bodies: Record<string, unknown> = {
  changeVideo: { videoName: 'mine now' },
  renameKey: { name: 'mine now' },
}

describe('somebody of another account', () => {
  it('makes no video with an upload or a preset of this one', async () => {
    const ids = await idsOf(await aPerson())
    const stranger = await aPerson()
    const withUpload = await stranger.call('POST', '/videos', { uploadId: ids['uploadId'] })
    expect(withUpload.status).toBe(404)
    const fileUrl = 'https://example.com/a.mp4'
    const withPreset = await stranger.call('POST', '/videos', { fileUrl, preset: 'mine' })
    expect(withPreset.status).toBe(400)
    expect(withPreset.json['message']).toContain('There is no preset mine')
    expect(withPreset.text).not.toContain('did you mean')
  })

  it('finds nothing of this one at any address of the dashboard that names an object', async () => {
    const [owner, stranger] = [await aPerson(), await aPerson()]
    const ids = await idsOf(owner)
    const said: string[] = []
    for (const [name, { method, path }] of Object.entries(publicRoutes)) {
      if (!path.startsWith('/v1/') || !path.includes('{')) continue
      const where = path
        .replace('/v1', '')
        .replaceAll(/\{(\w+)\}/g, (_, id: string) => ids[id] ?? 'x')
      const answer = await stranger.call(method, where, bodies[name])
      said.push(`${name} ${answer.status}`)
      expect(answer.text).not.toContain(owner.email)
    }
    expect(said.filter((line) => !/ (404|400)$/.test(line))).toEqual([])
    const found = [
      ...['getVideo', 'changeVideo', 'deleteVideo', 'cancelVideo', 'getJob'],
      ...['getBatch', 'cancelBatch', 'getUpload', 'deleteUpload', 'completeUpload'],
      ...['getKey', 'renameKey', 'revokeKey', 'getPreset', 'deletePreset'],
      ...['getWebhookEndpoint', 'redeliverWebhook'],
    ]
    for (const one of found) expect(said).toContain(`${one} 404`)
    await expectUntouched(owner, ids)
  })

  it('finds nothing of this one in any list', async () => {
    const [owner, stranger] = [await aPerson(), await aPerson()]
    const { presetName, ...ids } = await idsOf(owner)
    const lists = Object.values(publicRoutes).filter(
      ({ method, path }) =>
        method === 'GET' && path.startsWith('/v1/') && !/\{|\/secret/.test(path),
    )
    // Jobs are listed by a video, which the stranger cannot name.
    const addresses = lists
      .map(({ path }) => path.replace('/v1', ''))
      .filter((at) => at !== '/jobs')
    expect(addresses).toContain('/batches')
    for (const address of [...addresses, `/videos?batchId=${ids['batchId']}`]) {
      const { status, text } = await stranger.call('GET', address)
      expect([address, status]).toEqual([address, 200])
      const told = [presetName, ...Object.values(ids)].filter((id) => text.includes(`"${id}"`))
      expect([address, told]).toEqual([address, []])
    }
  })

  it('finds no page about an object of this one, and no form that changes it', async () => {
    const [owner, stranger] = [await aPerson(), await aPerson()]
    const ids = await idsOf(owner)
    const pages = Object.values(appRoutes).filter(
      (page) => page.for !== 'anyone' && page.path.includes('{'),
    )
    expect(pages.length).toBeGreaterThan(0)
    const fields = { change: 'delete', videoName: 'mine now' }
    for (const { method, path } of pages) {
      const where = path.replaceAll(/\{(\w+)\}/g, (_, id: string) => ids[id] ?? 'x')
      const answer = await (method === 'GET' ? stranger.get(where) : stranger.submit(where, fields))
      expect([method, path, answer.status]).toEqual([method, path, 404])
    }
    await expectUntouched(owner, ids)
  })
})

async function expectUntouched(owner: Visitor, ids: Record<string, string>): Promise<void> {
  const own = await owner.call('GET', `/videos/${ids['videoId']}`)
  expect(own.json).toMatchObject({ status: 'queued', videoName: 'a' })
  const key = await owner.call('GET', `/keys/${ids['keyId']}`)
  expect(key.json).toMatchObject({ name: null, revokedAt: null })
  const endpoint = await owner.call('GET', `/webhooks/endpoints/${ids['endpointId']}`)
  expect(endpoint.json).toMatchObject({ enabled: true })
  for (const path of [`uploads/${ids['uploadId']}`, `presets/${ids['presetName']}`]) {
    expect([path, (await owner.call('GET', `/${path}`)).status]).toEqual([path, 200])
  }
}

describe('every page', () => {
  it('says nothing to somebody who is signed out', async () => {
    for (const { method, path, for: reader } of Object.values(appRoutes)) {
      if (reader === 'anyone') continue
      const where = path.replaceAll(/\{\w+\}/g, 'x')
      const visitor = new Visitor()
      const answer = method === 'GET' ? await visitor.get(where) : await visitor.submit(where)
      expect([path, answer.status]).toEqual([path, 303])
      expect(answer.headers.get('Location')).toMatch(/^\/app\/sign-in/)
    }
  })

  it('refuses to be framed, and is kept nowhere', async () => {
    const person = await aPerson()
    for (const { method, path } of Object.values(appRoutes)) {
      if (method !== 'GET') continue
      const { headers } = await person.get(path.replaceAll(/\{\w+\}/g, 'x'))
      expect(headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('Cache-Control')).toContain('no-store')
      expect(headers.get('Access-Control-Allow-Origin')).toBeNull()
    }
  })

  it('is hidden from members who are not operators if it is for operators', async () => {
    const person = await aPerson()
    for (const { method, path, for: reader } of Object.values(appRoutes)) {
      if ((reader as string) !== 'operator') continue
      const answer = method === 'GET' ? await person.get(path) : await person.submit(path)
      expect([path, answer.status]).toEqual([path, 404])
    }
  })

  it('of the sign-in shows as text what is written into its address', async () => {
    const evil = encodeURIComponent('"><script>alert(1)</script>')
    for (const path of ['sign-in', 'sign-up', 'reset', 'welcome']) {
      const { text } = await new Visitor().get(
        `/app/${path}?next=${evil}&email=${evil}&done=${evil}`,
      )
      expect(text).not.toContain('<script>alert')
    }
    for (const path of ['reset', 'sign-up', 'invitations', 'link']) {
      const { text, status } = await new Visitor().get(`/app/${path}/${evil}`)
      expect([path, status]).toEqual([path, 404])
      expect(text).not.toContain('<script>alert')
    }
  })
})
