import { describe, expect, it } from 'vitest'
import { aClient, administer, anAccount, sendAdmin } from '../../support/worker/accounts.ts'
import { bindings } from '../../support/worker/bindings.ts'
import { send } from '../../support/worker/client.ts'
import { advanceSeconds, stopTheClock } from '../../support/worker/clock.ts'
import { standInQueue } from '../../support/worker/job-queue.ts'
import { anOwner, aPerson, ownerLink, Visitor } from '../../support/worker/dashboard/visitor.ts'

stopTheClock()
standInQueue()

const home = '/app/videos'

describe("the operator's link", () => {
  it('signs the owner in without a password', async () => {
    const visitor = new Visitor()
    const answer = await visitor.get(await ownerLink(await anAccount()))
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, home])
    expect(visitor.setCookie).toMatch(
      /^spool_session_8787=[0-9A-Za-z]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    expect((await visitor.get(home)).status).toBe(200)
  })

  it('works once, even if two use it at the same moment', async () => {
    const link = await ownerLink(await anAccount())
    const visitors = Array.from({ length: 5 }, () => new Visitor())
    const answers = await Promise.all(visitors.map((visitor) => visitor.get(link)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 404, 404, 404, 404])
    const late = new Visitor()
    expect((await late.get(link)).text).toContain('This link has been used')
    expect(late.cookie).toBeUndefined()
  })

  it('is not used up by a program that only looks, or a browser that fetches ahead', async () => {
    const link = await ownerLink(await anAccount())
    expect((await send(link, { method: 'HEAD' })).status).toBe(204)
    expect((await new Visitor().get(link, { 'Sec-Purpose': 'prefetch;prerender' })).status).toBe(
      204,
    )
    expect((await new Visitor().get(link)).status).toBe(303)
  })

  it('signs in another person of the account who is named, and nobody of another account', async () => {
    const person = await aPerson()
    const { email, accountId } = person
    const { url } = await administer<'people.link'>({ command: 'people.link', accountId, email })
    const visitor = new Visitor()
    await visitor.get(new URL(url).pathname)
    expect((await visitor.get('/app/settings')).text).toContain(email)
    const other = { command: 'people.link', accountId: await anAccount(), email }
    expect((await sendAdmin(other)).status).toBe(404)
  })

  it('works for an hour', async () => {
    const link = await ownerLink(await anAccount())
    advanceSeconds(3600)
    expect((await new Visitor().get(link)).status).toBe(404)
  })

  it('makes one owner, whom every later link signs in', async () => {
    const accountId = await anAccount()
    await Promise.all([1, 2, 3].map(async () => ownerLink(accountId)))
    await anOwner(accountId)
    await anOwner(accountId)
    const owners = bindings.DB.prepare('SELECT count(*) AS n FROM members WHERE account_id = ?')
    expect(await owners.bind(accountId).first('n')).toBe(1)
    const sessions = bindings.DB.prepare(
      'SELECT count(DISTINCT person_id) AS n FROM sessions WHERE account_id = ?',
    )
    expect(await sessions.bind(accountId).first('n')).toBe(1)
  })
})

describe('a session', () => {
  it('is stored by the hash of its token only', async () => {
    const owner = await anOwner()
    const token = owner.cookie?.split('=')[1] ?? ''
    const { results } = await bindings.DB.prepare('SELECT * FROM sessions').all()
    expect(results.length).toBeGreaterThan(0)
    expect(JSON.stringify(results)).not.toContain(token)
  })

  it('has a new token after every sign-in, and the former one is over', async () => {
    const owner = await anOwner()
    const planted = owner.cookie
    await owner.get(await ownerLink(owner.accountId))
    expect(owner.cookie).not.toBe(planted)
    const thief = new Visitor()
    thief.cookie = planted
    expect((await thief.get(home)).status).toBe(303)
  })

  it('is over everywhere once its person has signed out', async () => {
    const owner = await anOwner()
    const thief = new Visitor()
    thief.cookie = owner.cookie
    expect((await thief.get(home)).status).toBe(200)
    const answer = await owner.submit('/app/sign-out')
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/app/sign-in'])
    expect(owner.cookie).toBeUndefined()
    expect((await thief.get(home)).status).toBe(303)
    expect((await thief.call('GET', '/videos')).status).toBe(401)
  })

  it('lasts as long as it is used, and thirty days without being used', async () => {
    const owner = await anOwner()
    for (let i = 0; i < 3; i++) {
      advanceSeconds(29 * 86_400)
      expect((await owner.get(home)).status).toBe(200)
    }
    advanceSeconds(30 * 86_400)
    expect((await owner.get(home)).status).toBe(303)
  })

  it('ends after half a year however much it is used', async () => {
    const owner = await anOwner()
    for (let i = 0; i < 8; i++) {
      advanceSeconds(22 * 86_400)
      expect((await owner.get(home)).status).toBe(200)
    }
    advanceSeconds(5 * 86_400)
    expect((await owner.get(home)).status).toBe(303)
  })

  it('is over when its person no longer belongs to the account', async () => {
    const owner = await anOwner()
    await bindings.DB.prepare('DELETE FROM members WHERE account_id = ?')
      .bind(owner.accountId)
      .run()
    expect((await owner.get(home)).status).toBe(303)
  })
})

describe('somebody who is signed out', () => {
  it('is sent to sign in, and then back', async () => {
    const visitor = new Visitor()
    const where = async (path: string) => (await visitor.get(path)).headers.get('Location')
    expect(await where('/app')).toBe('/app/sign-in')
    expect(await where(home)).toBe('/app/sign-in')
    expect(await where(`${home}?status=failed`)).toBe(
      '/app/sign-in?next=%2Fapp%2Fvideos%3Fstatus%3Dfailed',
    )
  })

  it('gets an error that scripts can read from the API of the dashboard', async () => {
    const answer = await new Visitor().call('GET', '/videos')
    expect([answer.status, answer.json['error']]).toEqual([401, 'Unauthorized'])
  })

  it('gets no further with a cookie that is not a token', async () => {
    const visitor = new Visitor()
    for (const value of ["' or 1=1 --", 'x', 'a'.repeat(43), 'a'.repeat(5000)]) {
      visitor.cookie = `spool_session_8787=${value}`
      expect((await visitor.get(home)).status).toBe(303)
    }
  })
})

describe('/app/api', () => {
  it('answers a member as /v1 answers a key of the account', async () => {
    const owner = await anOwner()
    const client = await aClient({ accountId: owner.accountId })
    const created = await owner.call('POST', '/videos', { fileUrl: 'https://example.com/a.mp4' })
    expect(created.status, created.text).toBe(202)
    const path = `/videos/${String(created.json['videoId'])}`
    expect((await owner.call('GET', path)).json).toEqual((await client.get(`/v1${path}`)).json)
    const refused = await owner.call('POST', '/videos', { fileUrl: 1 })
    expect(refused.json).toEqual((await client.post('/v1/videos', { fileUrl: 1 })).json)
  })

  it('creates keys with every scope, although no key can create keys', async () => {
    const owner = await anOwner()
    const scopes = ['videos:read', 'videos:write', 'keys:manage']
    const issued = await owner.call('POST', '/keys', { name: 'CI', scopes })
    expect(issued.status, issued.text).toBe(201)
    const answer = await send('/v1/keys', {
      headers: { Authorization: `Bearer ${String(issued.json['apiKey'])}` },
    })
    expect(answer.status).toBe(200)
  })

  it('gives each person idempotency keys of their own', async () => {
    const owner = await anOwner()
    const body = JSON.stringify({ fileUrl: 'https://example.com/a.mp4' })
    const create = async (visitor: Visitor) =>
      visitor.send('/app/api/videos', {
        method: 'POST',
        body,
        headers: {
          'Content-Type': 'application/json',
          'Idempotency-Key': 'once',
          Origin: bindings.BASE_URL,
        },
      })
    const first = await create(owner)
    expect((await create(owner)).json).toEqual(first.json)
    expect((await create(await anOwner())).json['videoId']).not.toBe(first.json['videoId'])
  })

  it('counts what a member changes in the windows of the account', async () => {
    const owner = await anOwner(await anAccount('2/60'))
    const statuses: number[] = []
    for (let i = 0; i < 3; i++) statuses.push((await owner.call('POST', '/videos', {})).status)
    expect(statuses).toEqual([400, 400, 429])
    expect((await owner.call('GET', '/videos')).status).toBe(200)
    advanceSeconds(61)
    expect((await owner.call('POST', '/videos', {})).status).toBe(400)
  })

  it('lets a member who is not an owner at neither keys nor the webhook secret', async () => {
    const member = await anOwner()
    await bindings.DB.prepare(`UPDATE members SET role = 'member' WHERE account_id = ?`)
      .bind(member.accountId)
      .run()
    const said = async (method: string, path: string) => {
      const { status, json } = await member.call(method, path)
      return [status, json['message']]
    }
    const refused = [403, 'Only owners of the account may do that.']
    expect(await said('GET', '/keys')).toEqual(refused)
    expect(await said('GET', '/webhooks/secret')).toEqual(refused)
    expect(await said('POST', '/webhooks/secret/rotate')).toEqual(refused)
    expect((await member.call('GET', '/videos')).status).toBe(200)
    expect((await member.call('POST', '/videos', {})).status).toBe(400)
  })
})

describe('the way between /app and /v1', () => {
  it('is closed for cookies', async () => {
    const owner = await anOwner()
    expect((await owner.send('/v1/videos', {})).status).toBe(401)
  })

  it('is closed for keys', async () => {
    const { apiKey } = await aClient()
    const headers = { Authorization: `Bearer ${apiKey}`, Origin: bindings.BASE_URL }
    expect((await send('/app/api/videos', { headers })).status).toBe(401)
    expect((await send(home, { headers })).status).toBe(303)
  })
})

describe('a request that changes something', () => {
  it('is refused unless a page of the service sent it', async () => {
    const owner = await anOwner()
    const post = async (headers: Record<string, string>) =>
      (await owner.send('/app/api/webhooks/test', { method: 'POST', body: '{}', headers })).status
    const json = { 'Content-Type': 'application/json' }
    expect(await post(json)).toBe(403)
    expect(await post({ ...json, Origin: 'https://evil.example' })).toBe(403)
    expect(await post({ ...json, Origin: 'null' })).toBe(403)
    expect(await post({ ...json, Origin: 'null', 'Sec-Fetch-Site': 'same-site' })).toBe(403)
    const lying = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'same-origin' }
    expect(await post({ ...json, ...lying })).toBe(403)
    const subdomain = { Origin: `${bindings.BASE_URL}.evil.example` }
    expect(await post({ ...json, ...subdomain })).toBe(403)
    expect(await post({ ...json, 'Sec-Fetch-Site': 'same-origin' })).toBe(400)
    expect(await post({ ...json, Origin: bindings.BASE_URL })).toBe(400)
  })

  it('does nothing when it is refused', async () => {
    const owner = await anOwner()
    const headers = { Origin: 'https://evil.example' }
    expect((await owner.send('/app/sign-out', { method: 'POST', headers })).status).toBe(403)
    expect((await owner.get(home)).status).toBe(200)
  })
})

it('the account of the operator is the first one of the instance', async () => {
  const { results } = await bindings.DB.prepare('SELECT id FROM accounts WHERE operates = 1').all<{
    id: string
  }>()
  const { accounts } = await administer<'accounts.list'>({ command: 'accounts.list' })
  expect(results.map(({ id }) => id)).toEqual([accounts[0]?.accountId])
})
