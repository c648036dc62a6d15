import { describe, expect, it, vi } from 'vitest'
import { hashApiKey, looksLikeApiKey, type Scope } from '../../../worker/contract/people/api-key.ts'
import { issuedKey, keyPage, keyRecord } from '../../../worker/contract/people/key-record.ts'
import { keysPerAccount } from '../../../worker/contract/limits.ts'
import { aClient } from '../../support/worker/accounts.ts'
import { bindings } from '../../support/worker/bindings.ts'
import { Client, refusal } from '../../support/worker/client.ts'
import { advanceSeconds, stopTheClock } from '../../support/worker/clock.ts'

stopTheClock()

const path = '/v1/keys'

async function aKey(client: Client, wish: object = { scopes: ['videos:read'] }) {
  const answer = await client.post(path, wish)
  expect(answer.status, answer.text).toBe(201)
  return issuedKey.parse(answer.json)
}

const clientOf = (client: Client, { apiKey, keyId }: { apiKey: string; keyId: string }) =>
  new Client({ apiKey, keyId, accountId: client.accountId })

async function allKeys(client: Client) {
  return keyPage.parse((await client.get(path)).json).data
}

describe('POST /v1/keys', () => {
  it('creates a key that does what its scopes say, and nothing else', async () => {
    const client = await aClient()
    const issued = await aKey(client, { name: 'Website', scopes: ['videos:read'] })
    expect(looksLikeApiKey(issued.apiKey)).toBe(true)
    expect(issued).toMatchObject({ name: 'Website', scopes: ['videos:read'], lastUsedAt: null })
    const reader = clientOf(client, issued)
    expect((await reader.get('/v1/videos')).status).toBe(200)
    expect((await reader.post('/v1/webhooks/secret/rotate')).status).toBe(403)
    expect((await reader.get(path)).status).toBe(403)
  })

  it('stores only the hash of the key', async () => {
    const client = await aClient()
    const { keyId, apiKey, hint } = await aKey(client)
    const row = await bindings.DB.prepare('SELECT * FROM api_keys WHERE id = ?').bind(keyId).first()
    expect(row).toMatchObject({ hash: await hashApiKey(apiKey), hint })
    expect(JSON.stringify(row)).not.toContain(apiKey)
    expect((await client.get(`${path}/${keyId}`)).text).not.toContain(apiKey)
    expect((await client.get(path)).text).not.toContain(apiKey)
  })

  it('never grants more than the creating key has', async () => {
    const scopes: Scope[] = ['videos:read', 'keys:manage']
    const client = await aClient({ scopes })
    const refused = await client.post(path, { scopes: ['videos:read', 'videos:write'] })
    expect(refusal(refused)).toEqual({
      status: 400,
      error: 'ValidationError',
      message: 'scopes[1]: Must be a scope that your key has; it lacks videos:write',
    })
    expect(await allKeys(client)).toHaveLength(1)
    expect((await aKey(client, { scopes })).scopes).toEqual(scopes)
  })

  it('never lets a key outlive the key that created it', async () => {
    const end = new Date(Date.now() + 3_600_000).toISOString()
    const later = new Date(Date.now() + 3_600_001).toISOString()
    const client = await aClient({ expiresAt: end })
    expect((await aKey(client)).expiresAt).toBe(end)
    const refused = await client.post(path, { scopes: ['videos:read'], expiresAt: later })
    expect(refusal(refused)).toMatchObject({
      status: 400,
      message: `expiresAt: Must not be after ${end}, when your own key ends`,
    })
    const soon = new Date(Date.now() + 60_000).toISOString()
    const short = await aKey(client, { scopes: ['videos:read'], expiresAt: soon })
    advanceSeconds(61)
    expect(refusal(await clientOf(client, short).get('/v1/videos'))).toMatchObject({
      status: 401,
      message: 'The API key has expired.',
    })
  })

  it('stops at the number of keys that an account may have, until one is revoked', async () => {
    const client = await aClient()
    const insert = bindings.DB.prepare(
      `INSERT INTO api_keys (id, account_id, hash, hint, scopes, created_at) VALUES (?, ?, ?, '', '[]', 0)`,
    )
    const rows = Array.from(
      { length: keysPerAccount - 2 },
      (_, i) => `k_${client.keyId.slice(2, 8)}${i}`,
    )
    await bindings.DB.batch(rows.map((id) => insert.bind(id, client.accountId, id)))
    const wishes = Array.from({ length: 5 }, () => client.post(path, { scopes: ['videos:read'] }))
    const statuses = (await Promise.all(wishes)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([201, 409, 409, 409, 409])
    expect((await client.delete(`${path}/${rows[0] ?? ''}`)).status).toBe(204)
    expect((await client.post(path, { scopes: ['videos:read'] })).status).toBe(201)
  })
})

describe('the keys of an account', () => {
  it('are listed newest first, a page at a time', async () => {
    const client = await aClient()
    const made: string[] = [client.keyId]
    for (let i = 0; i < 4; i++) {
      advanceSeconds(1)
      made.unshift((await aKey(client)).keyId)
    }
    const first = keyPage.parse((await client.get(`${path}?limit=3`)).json)
    const cursor = encodeURIComponent(first.nextCursor ?? '')
    const second = keyPage.parse((await client.get(`${path}?limit=3&cursor=${cursor}`)).json)
    expect([...first.data, ...second.data].map(({ keyId }) => keyId)).toEqual(made)
    expect(second.nextCursor).toBeNull()
  })

  it('can be renamed', async () => {
    const client = await aClient()
    const { keyId } = await aKey(client)
    const named = await client.patch(`${path}/${keyId}`, { name: ' Build server ' })
    expect(keyRecord.parse(named.json).name).toBe('Build server')
    const unnamed = await client.patch(`${path}/${keyId}`, { name: null })
    expect(keyRecord.parse(unnamed.json).name).toBeNull()
    expect((await client.patch(`${path}/${keyId}`, { name: '' })).status).toBe(400)
  })

  it('are refused from the next request on once they are revoked', async () => {
    const client = await aClient()
    const issued = await aKey(client)
    const reader = clientOf(client, issued)
    expect((await reader.get('/v1/videos')).status).toBe(200)
    expect((await client.delete(`${path}/${issued.keyId}`)).status).toBe(204)
    expect(refusal(await reader.get('/v1/videos'))).toMatchObject({
      status: 401,
      message: 'The API key has been revoked.',
    })
    const { revokedAt } = keyRecord.parse((await client.get(`${path}/${issued.keyId}`)).json)
    advanceSeconds(5)
    expect((await client.delete(`${path}/${issued.keyId}`)).status).toBe(204)
    const again = keyRecord.parse((await client.get(`${path}/${issued.keyId}`)).json)
    expect(again.revokedAt).toBe(revokedAt)
  })

  it('show when they were last used, to within five minutes', async () => {
    const client = await aClient()
    const issued = await aKey(client)
    const reader = clientOf(client, issued)
    const lastUse = async () =>
      keyRecord.parse((await client.get(`${path}/${issued.keyId}`)).json).lastUsedAt
    expect(await lastUse()).toBeNull()
    const firstUse = new Date().toISOString()
    await reader.get('/v1/videos')
    await vi.waitFor(async () => expect(await lastUse()).toBe(firstUse))
    advanceSeconds(301)
    await reader.get('/v1/videos')
    const secondUse = new Date().toISOString()
    await vi.waitFor(async () => expect(await lastUse()).toBe(secondUse))
  })
})
