import { describe, expect, it } from 'vitest'
import { looksLikeApiKey } from '../../../worker/contract/people/api-key.ts'
import { bindings } from '../../support/worker/bindings.ts'
import { Client } from '../../support/worker/client.ts'
import { stopTheClock } from '../../support/worker/clock.ts'
import { anOwner, type Visitor } from '../../support/worker/dashboard/visitor.ts'

stopTheClock()

const path = '/app/keys'

/** What the page shows of a key that was just created. */
async function create(owner: Visitor, fields: Record<string, string>) {
  const answer = await owner.submit(path, fields)
  const [apiKey = ''] = /spool_[0-9A-Za-z]{32}/.exec(answer.text) ?? []
  return { answer, apiKey }
}

async function keyOf(accountId: string, name: string): Promise<{ id: string; scopes: string }> {
  const row = await bindings.DB.prepare('SELECT * FROM api_keys WHERE account_id = ? AND name = ?')
    .bind(accountId, name)
    .first<{ id: string; scopes: string }>()
  if (!row) throw new Error(`there is no key ${name}`)
  return row
}

describe('the page of keys', () => {
  it('creates a key, shows it once with a command that works, and then never again', async () => {
    const owner = await anOwner()
    const { answer, apiKey } = await create(owner, { name: 'Website', scopes: 'videos:read' })
    expect(answer.status).toBe(201)
    expect(looksLikeApiKey(apiKey)).toBe(true)
    expect(answer.text).toContain(`Authorization: Bearer ${apiKey}`)
    expect(answer.headers.get('Cache-Control')).toBe('private, no-store')
    const { accountId } = owner
    const client = new Client({ apiKey, accountId, keyId: '' })
    expect((await client.get('/v1/videos')).status).toBe(200)
    expect((await client.post('/v1/videos', {})).status).toBe(403)
    const page = await owner.get(path)
    expect(page.text).toContain('Website')
    expect(page.text).toContain(`…${apiKey.slice(-4)}`)
    expect(page.text).not.toContain(apiKey)
  })

  it('ends a key with the day that was entered', async () => {
    const owner = await anOwner()
    await create(owner, { name: 'Short', scopes: 'videos:read', expiresAt: '2099-05-31' })
    const { id } = await keyOf(owner.accountId, 'Short')
    const row = bindings.DB.prepare('SELECT expires_at FROM api_keys WHERE id = ?').bind(id)
    expect(await row.first('expires_at')).toBe(Date.parse('2099-05-31T23:59:59Z'))
  })

  it.each<[string, Record<string, string>, string]>([
    ['no scope', { name: 'Website' }, 'Must name at least one scope'],
    ['an unknown scope', { scopes: 'all' }, 'Must be videos:read'],
    ['an end in the past', { scopes: 'videos:read', expiresAt: '2020-01-01' }, 'in the future'],
    ['an end that is not a day', { scopes: 'videos:read', expiresAt: 'soon' }, 'a date and time'],
  ])(
    'says beside the field what is wrong with %s, and keeps what was entered',
    async (_, fields, text) => {
      const owner = await anOwner()
      const answer = await owner.submit(path, { name: 'Kept', ...fields })
      expect(answer.status).toBe(400)
      expect(answer.text).toContain(text)
      expect(answer.text).toContain(`value="${fields['name'] ?? 'Kept'}"`)
      const rows = bindings.DB.prepare('SELECT count(*) AS n FROM api_keys WHERE account_id = ?')
      expect(await rows.bind(owner.accountId).first('n')).toBe(0)
    },
  )

  it('asks before it revokes, without scripts too, and names what will stop working', async () => {
    const owner = await anOwner()
    const { apiKey } = await create(owner, { name: 'Old <importer>', scopes: 'videos:read' })
    const { id } = await keyOf(owner.accountId, 'Old <importer>')
    const asked = await owner.get(`${path}/${id}/revoke`)
    expect(asked.text).toContain('Old &lt;importer&gt;')
    expect(asked.text).toContain(`…${apiKey.slice(-4)}`)
    expect(asked.text).toContain('is refused from its next request')
    const client = new Client({ apiKey, accountId: owner.accountId, keyId: id })
    expect((await client.get('/v1/videos')).status).toBe(200)
    const answer = await owner.submit(`${path}/${id}/revoke`)
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, `${path}?done=${id}`])
    expect((await client.get('/v1/videos')).status).toBe(401)
    expect((await owner.get(`${path}?done=${id}`)).text).toContain('has been revoked')
  })
})
