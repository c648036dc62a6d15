import { describe, expect, it } from 'vitest'
import { bindings } from '../../support/worker/bindings.ts'
import { stopTheClock } from '../../support/worker/clock.ts'
import {
  anEmail,
  anOwner,
  aPerson,
  password,
  signIn,
  standBeforeSignIn,
  type Visitor,
} from '../../support/worker/dashboard/visitor.ts'
import { campaign } from '../../support/node/campaign.ts'

stopTheClock()
standBeforeSignIn()

const settings = '/app/settings'
const fresh = 'a brand new password'
const done = (what: string) => [303, `${settings}?done=${what}`]

async function post(visitor: Visitor, path: string, fields: Record<string, string> = {}) {
  const answer = await visitor.submit(`${settings}/${path}`, fields)
  return [answer.status, answer.headers.get('Location')]
}

/** Puts the person into the account of another. */
async function join(
  { personId }: { personId: string },
  { accountId }: { accountId: string },
  role = 'member',
): Promise<void> {
  await bindings.DB.prepare('INSERT INTO members VALUES (?, ?, ?, ?)')
    .bind(accountId, personId, role, Date.now())
    .run()
}

/** Somebody who works in the account of another: signed in there. */
async function aColleague(owner: { accountId: string }, role = 'member') {
  const person = await aPerson()
  await join(person, owner, role)
  expect(await post(person, 'switch', { accountId: owner.accountId })).toEqual([303, '/app/videos'])
  return person
}

describe(settings, () => {
  it('shows who one is, and escapes what people call themselves', async () => {
    const person = await aPerson()
    const name = '<img src=x onerror=alert(1)>'
    expect(await post(person, 'profile', { name })).toEqual(done('profile'))
    expect(await post(person, 'account', { name })).toEqual(done('account'))
    const { text, headers } = await person.get(`${settings}?done=profile`)
    expect(text).toContain('Name updated.')
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;')
    expect(text).not.toContain('<img')
    expect(text).toContain('kept for 30 days')
    expect(headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('Cache-Control')).toContain('no-store')
  })

  it('says beside the field what is wrong', async () => {
    const person = await aPerson()
    const { status, text } = await person.submit(`${settings}/account`, { name: '' })
    expect([status, text.includes('Must not be empty.')]).toEqual([400, true])
  })

  it('set the age at which videos are archived, and say which ages there are', async () => {
    const person = await aPerson()
    const save = async (archiveAfterDays: string) => post(person, 'archive', { archiveAfterDays })
    const said = async () => (await person.get(settings)).text
    expect(await said()).toContain('archived 90 days after they are finished')
    expect(await save('7')).toEqual(done('archive'))
    expect(await said()).toContain('archived 7 days after they are finished')
    const refused = await person.submit(`${settings}/archive`, { archiveAfterDays: '-3' })
    expect(refused.text).toContain('value="-3"')
    expect(refused.text).toContain(`<body data-posted="${settings}">`)
    expect(await save('')).toEqual(done('archive'))
    expect(await said()).toContain('never archived')
    for (const wrong of ['0', '3651', '1.5', 'soon']) expect((await save(wrong))[0]).toBe(400)
    expect(await said()).toContain('never archived')
  })
})

describe('changing the password', () => {
  it('needs the present one, and ends every other session', async () => {
    const person = await aPerson()
    const elsewhere = (await signIn(person.email)).visitor
    const before = person.cookie
    const refused = await person.submit(`${settings}/password`, { current: 'x', password: fresh })
    expect([refused.status, refused.text.includes('Wrong password.')]).toEqual([400, true])
    expect(await post(person, 'password', { current: password, password: fresh })).toEqual(
      done('password'),
    )
    expect(person.cookie).not.toBe(before)
    expect((await person.get(settings)).status).toBe(200)
    expect((await elsewhere.get(settings)).status).toBe(303)
    expect((await signIn(person.email)).answer.status).toBe(401)
    expect((await signIn(person.email, { password: fresh })).answer.status).toBe(303)
  })

  it('counts wrong guesses of the present one as at the sign-in', async () => {
    const person = await aPerson()
    await post(person, 'password', { current: 'x', password: fresh })
    await bindings.DB.prepare('UPDATE attempts SET count = 10').run()
    expect((await post(person, 'password', { current: password, password: fresh }))[0]).toBe(429)
  })

  campaign('lets an owner who came by a link choose the first one', async () => {
    const owner = await anOwner()
    const email = anEmail()
    expect(await post(owner, 'password', { email, password: fresh })).toEqual(done('password'))
    expect((await signIn(email, { password: fresh })).answer.status).toBe(303)
    const other = await anOwner()
    expect((await post(other, 'password', { email, password: fresh }))[0]).toBe(400)
  })
})

it('changing the address asks for the password, and refuses an address that belongs to somebody else', async () => {
  const [person, other] = [await aPerson(), await aPerson()]
  const email = anEmail()
  expect((await post(person, 'email', { email, current: 'x' }))[0]).toBe(400)
  expect((await post(person, 'email', { email: other.email, current: password }))[0]).toBe(400)
  expect(await post(person, 'email', { email, current: password })).toEqual(done('email'))
  expect((await signIn(email)).answer.status).toBe(303)
  expect((await signIn(person.email)).answer.status).toBe(401)
})

describe('sessions', () => {
  it('are listed and ended, each or all but this one', async () => {
    const person = await aPerson()
    const others = [(await signIn(person.email)).visitor, (await signIn(person.email)).visitor]
    const { text } = await person.get(settings)
    const ids = [...text.matchAll(/name="sessionId" value="(\w+)"/g)].map(([, id = '']) => id)
    expect(ids).toHaveLength(2)
    expect(await post(person, 'sessions/end', { sessionId: ids[0] ?? '' })).toEqual(done('session'))
    const statuses = async () =>
      (await Promise.all(others.map((one) => one.get(settings)))).map(({ status }) => status)
    expect((await statuses()).toSorted()).toEqual([200, 303])
    expect(await post(person, 'sessions/end-others')).toEqual(done('sessions'))
    expect(await statuses()).toEqual([303, 303])
    expect((await person.get(settings)).status).toBe(200)
  })

  it('of others stay as they are', async () => {
    const [person, stranger] = [await aPerson(), await aPerson()]
    const row = await bindings.DB.prepare('SELECT id FROM sessions WHERE person_id = ?')
      .bind(person.personId)
      .first<{ id: string }>()
    await post(stranger, 'sessions/end', { sessionId: row?.id ?? '' })
    expect((await person.get(settings)).status).toBe(200)
  })
})

describe('the people of an account', () => {
  it('have roles, which its owners change', async () => {
    const owner = await aPerson()
    const member = await aColleague(owner)
    expect((await member.call('GET', '/keys')).status).toBe(403)
    const wish = { personId: member.personId, role: 'owner' }
    expect((await post(member, 'people/role', wish))[0]).toBe(403)
    expect(await post(owner, 'people/role', wish)).toEqual(done('role'))
    expect((await member.call('GET', '/keys')).status).toBe(200)
  })

  it.each([
    ['leave', 'people/remove', 'own'],
    ['remove each other', 'people/remove', 'other'],
    ['demote each other', 'people/role', 'other'],
  ])('always have an owner, even if two owners %s at the same moment', async (_, path, whose) => {
    const owner = await aPerson()
    const { personId } = owner
    expect((await post(owner, 'people/remove', { personId }))[0]).toBe(409)
    expect((await post(owner, 'people/role', { personId, role: 'member' }))[0]).toBe(409)
    const second = await aColleague(owner, 'owner')
    const [one, other] = whose === 'own' ? [owner, second] : [second, owner]
    await Promise.all([
      post(owner, path, { personId: one.personId, role: 'member' }),
      post(second, path, { personId: other.personId, role: 'member' }),
    ])
    const owners = bindings.DB.prepare(
      `SELECT count(*) AS n FROM members WHERE account_id = ? AND role = 'owner'`,
    )
    expect(await owners.bind(owner.accountId).first('n')).toBe(1)
  })

  it('are out of the account the moment they are removed', async () => {
    const owner = await aPerson()
    const member = await aColleague(owner)
    expect((await member.call('GET', '/videos')).status).toBe(200)
    const { text } = await owner.get(settings)
    expect(text).toContain(`data-dialog="remove-${member.personId}"`)
    expect(text).toContain(`Remove ${member.email}?`)
    expect(await post(owner, 'people/remove', { personId: member.personId })).toEqual(
      done('removed'),
    )
    expect((await member.call('GET', '/videos')).status).toBe(401)
    const { visitor } = await signIn(member.email)
    expect((await visitor.get(settings)).text).toContain(member.accountId)
  })

  it('who are not owners remove nobody but themselves', async () => {
    const owner = await aPerson()
    const member = await aColleague(owner)
    expect((await member.get(settings)).text).not.toContain('href="/app/keys"')
    expect((await post(member, 'people/remove', { personId: owner.personId }))[0]).toBe(403)
    expect((await post(member, 'invitations', { email: anEmail(), role: 'owner' }))[0]).toBe(403)
    expect((await post(member, 'account', { name: 'Mine' }))[0]).toBe(403)
    expect((await post(member, 'archive', { archiveAfterDays: '1' }))[0]).toBe(403)
    expect(await post(member, 'people/remove', { personId: member.personId })).toEqual([
      303,
      '/app/videos',
    ])
  })

  it('are out of reach for the owner of another account', async () => {
    const [owner, stranger] = [await aPerson(), await aPerson()]
    const { personId } = owner
    expect((await post(stranger, 'people/remove', { personId }))[0]).toBe(404)
    expect((await post(stranger, 'people/role', { personId, role: 'owner' }))[0]).toBe(404)
    expect((await post(stranger, 'switch', { accountId: owner.accountId }))[0]).toBe(404)
    expect((await owner.get(settings)).status).toBe(200)
  })
})
