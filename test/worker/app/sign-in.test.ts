import { describe, expect, it } from 'vitest'
import { signInLimits } from '../../../worker/contract/limits.ts'
import { bindings } from '../../support/worker/bindings.ts'
import type { Answer } from '../../support/worker/client.ts'
import { advanceSeconds, stopTheClock } from '../../support/worker/clock.ts'
import { recordLog } from '../../support/worker/log-lines.ts'
import {
  anEmail,
  aPerson,
  password,
  signIn,
  standBeforeSignIn,
  Visitor,
} from '../../support/worker/dashboard/visitor.ts'

stopTheClock()
const { waits } = standBeforeSignIn()

const home = '/app/videos'
/** Sets the number of attempts of each sender that has made one. */
async function countAttempts(count: number): Promise<void> {
  await bindings.DB.prepare('UPDATE attempts SET count = ?').bind(count).run()
}

const { passwords } = signInLimits

/** Tries a password at a deployed service, from a network address. */
async function guess(email: string, address: string, wish = 'wrong guess'): Promise<Answer> {
  return new Visitor({ ENVIRONMENT: 'production' }).send('/app/sign-in', {
    method: 'POST',
    body: new URLSearchParams({ email, password: wish }).toString(),
    headers: {
      Accept: 'text/html',
      Origin: bindings.BASE_URL,
      'Content-Type': 'application/x-www-form-urlencoded',
      'CF-Connecting-IP': address,
    },
  })
}

/** What an answer says, without what is random in every answer. */
const shapeOf = ({ status, headers, text }: Answer, email: string) => ({
  status,
  text: text.replaceAll(email, 'EMAIL').replaceAll(/\s+/g, ' '),
  headers: [...headers]
    .filter(([name]) => name !== 'x-request-id' && name !== 'date')
    .map(([name, value]) => [
      name,
      value.replace(/=[0-9A-Za-z]{43};/, '=TOKEN;').replace(/=\w{22}-\w{64};/, '=MARK;'),
    ]),
})

describe('/app/sign-up', () => {
  it('makes a person with an account of their own, and signs them in', async () => {
    const email = anEmail()
    const visitor = new Visitor()
    const answer = await visitor.submit('/app/sign-up', { name: 'Ada', email, password })
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/app/welcome'])
    const welcomed = await visitor.get('/app/welcome')
    expect([welcomed.status, welcomed.headers.get('Location')]).toEqual([303, home])
    expect((await visitor.get(home)).status).toBe(200)
    const keys = await visitor.call('POST', '/keys', { scopes: ['videos:read'] })
    expect(keys.status).toBe(201)
  })

  it('never makes an operator, not even of the first person who signs up', async () => {
    await bindings.DB.prepare('UPDATE accounts SET operates = 0').run()
    const email = anEmail()
    await new Visitor().submit('/app/sign-up', { email, password })
    const { results } = await bindings.DB.prepare(
      `SELECT operates FROM accounts JOIN people ON people.account_id = accounts.id WHERE email = ?`,
    )
      .bind(email)
      .all()
    expect(results).toEqual([{ operates: 0 }])
  })

  it('stores the password only as a hash of its own salt', async () => {
    const people = [{ email: anEmail() }, { email: anEmail() }]
    for (const { email } of people) await new Visitor().submit('/app/sign-up', { email, password })
    const { results } = await bindings.DB.prepare(
      'SELECT password_hash FROM people WHERE email IN (?, ?)',
    )
      .bind(...people.map(({ email }) => email))
      .all<{ password_hash: string }>()
    const hashes = results.map((row) => row.password_hash)
    expect(new Set(hashes).size).toBe(2)
    for (const hash of hashes) {
      expect(hash).toMatch(/^scrypt\$16384\$8\$5\$[0-9a-f]{32}\$[0-9a-f]{64}$/)
    }
  })

  it('says beside each field what is wrong with it, and keeps what was typed', async () => {
    const fields = { name: 'Ada', email: '"><script>alert(1)</script>', password: 'short' }
    const { status, text } = await new Visitor().submit('/app/sign-up', fields)
    expect(status).toBe(400)
    expect(text).toContain('Must be an e-mail address such as ada@example.com.')
    expect(text).toContain('Must be at least 8 characters.')
    expect(text).toContain('value="Ada"')
    expect(text).not.toContain('<script>alert')
    expect(text).not.toContain('short')
  })

  it('answers the same for an address that has an account, with another password', async () => {
    const { email } = await aPerson()
    const unknown = anEmail()
    const attacker = new Visitor()
    const known = await attacker.submit('/app/sign-up', { email, password: 'another password' })
    const fresh = await new Visitor().submit('/app/sign-up', { email: unknown, password })
    expect(shapeOf(known, email)).toEqual(shapeOf(fresh, unknown))
    expect((await attacker.get(home)).status).toBe(303)
    const welcomed = await attacker.get('/app/welcome')
    expect(welcomed.status).toBe(401)
    expect(welcomed.text).toContain('If you have an account already, sign in with its password.')
    expect((await signIn(email)).answer.status).toBe(303)
  })

  it('signs in who has an account with this password already', async () => {
    const { email } = await aPerson()
    const visitor = new Visitor()
    await visitor.submit('/app/sign-up', { email: ` ${email.toUpperCase()} `, password })
    expect((await visitor.get(home)).status).toBe(200)
  })

  it('makes one person of two sign-ups at the same moment', async () => {
    const email = anEmail()
    const visitors = [new Visitor(), new Visitor(), new Visitor()]
    await Promise.all(visitors.map((one) => one.submit('/app/sign-up', { email, password })))
    const count = bindings.DB.prepare('SELECT count(*) AS n FROM people WHERE email = ?')
    expect(await count.bind(email).first('n')).toBe(1)
    const orphans = bindings.DB.prepare(
      `SELECT count(*) AS n FROM accounts WHERE name = ? AND id NOT IN (SELECT account_id FROM members)`,
    )
    expect(await orphans.bind(email).first('n')).toBe(0)
  })

  it.each(['invited', 'closed'])('does nothing where SIGN_UP is %s', async (mode) => {
    const email = anEmail()
    const visitor = new Visitor({ SIGN_UP: mode })
    expect((await visitor.get('/app/sign-up')).text).not.toContain('name="password"')
    expect((await visitor.submit('/app/sign-up', { email, password })).status).toBe(403)
    const { answer } = await signIn(email)
    expect(answer.status).toBe(401)
    expect((await visitor.get('/app/sign-in')).text).not.toContain('/app/sign-up')
  })

  it('is limited for each network', async () => {
    const { attempts } = signInLimits.signUps.perNetwork
    const visitor = new Visitor()
    await visitor.submit('/app/sign-up', { email: anEmail(), password })
    await countAttempts(attempts)
    const answer = await visitor.submit('/app/sign-up', { email: anEmail(), password })
    expect(answer.status).toBe(429)
  })
})

describe('/app/sign-in', () => {
  it('signs in with the password, however the address is written', async () => {
    const { email } = await aPerson()
    const { visitor, answer } = await signIn(`  ${email.toUpperCase()}`)
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, home])
    expect((await visitor.get(home)).status).toBe(200)
  })

  it('tells nothing of who has an account', async () => {
    const { email } = await aPerson()
    const unknown = anEmail()
    const wrong = (await signIn(email, { password: 'not the password' })).answer
    const nobody = (await signIn(unknown, { password: 'not the password' })).answer
    expect(wrong.status).toBe(401)
    expect(shapeOf(nobody, unknown)).toEqual(shapeOf(wrong, email))
    expect(wrong.text).toContain('The e-mail address or the password is wrong.')
  })

  it('takes the same time whether somebody has the address', async () => {
    const { email } = await aPerson()
    const before = waits().length
    await signIn(email, { password: 'not the password' })
    await signIn(anEmail(), { password: 'not the password' })
    await new Visitor().submit('/app/reset', { email })
    await new Visitor().submit('/app/reset', { email: anEmail() })
    expect(waits().slice(before)).toEqual([600, 600, 600, 600])
  })

  it('refuses a person who came by a link and has no password', async () => {
    const email = anEmail()
    await aPerson(email)
    await bindings.DB.prepare('UPDATE people SET password_hash = NULL WHERE email = ?')
      .bind(email)
      .run()
    expect((await signIn(email, { password: 'null' })).answer.status).toBe(401)
  })

  it('goes on to where the person wanted to go, within the dashboard only', async () => {
    const { email } = await aPerson()
    const to = async (next: string) =>
      (await signIn(email, { next })).answer.headers.get('Location')
    expect(await to('/app/keys?x=1')).toBe('/app/keys?x=1')
    for (const next of ['//evil.example', '/\\evil.example', 'https://evil.example/app/']) {
      expect(await to(next)).toBe(home)
    }
    const page = await new Visitor().get('/app/sign-in?next=%2F%2Fevil.example%22%3E')
    expect(page.text).not.toContain('evil.example')
  })

  it('stops guesses at one account from one network, for a known address as for an unknown', async () => {
    const { email } = await aPerson()
    for (const address of [email, anEmail()]) {
      expect((await guess(address, '203.0.113.9')).status).toBe(401)
      await countAttempts(passwords.perPlace.attempts - 1)
      expect((await guess(address, '203.0.113.9')).status).toBe(401)
      const refused = await guess(address, '203.0.113.9')
      expect(refused.status).toBe(429)
      expect(refused.text).toContain('Try again in 15 minutes.')
      expect(refused.headers.get('Retry-After')).toBe('900')
      expect((await guess(address, '2001:db8::1')).status).toBe(401)
      await bindings.DB.prepare('DELETE FROM attempts').run()
    }
  })

  it('lets the owner of an address in from elsewhere while one network guesses on and on', async () => {
    const { email } = await aPerson()
    const { attempts } = passwords.perEmail
    for (let i = 0; i <= attempts; i++) await guess(email, '203.0.113.9')
    expect((await guess(email, '203.0.113.9', password)).status).toBe(429)
    expect((await guess(email, '198.51.100.7', password)).status).toBe(303)
  })

  it('bounds what many networks guess at one address, and tells its owner another way in', async () => {
    const { email } = await aPerson()
    await guess(email, '203.0.113.9')
    await bindings.DB.prepare('UPDATE attempts SET count = ?')
      .bind(passwords.perEmail.attempts)
      .run()
    const refused = await guess(email, '198.51.100.7', password)
    expect(refused.status).toBe(429)
    expect(refused.text).toContain('a browser where you have signed in before')
    advanceSeconds(3600)
    expect((await guess(email, '198.51.100.7', password)).status).toBe(303)
  })

  it('counts a browser in which the owner has signed in before for itself', async () => {
    const { email } = await aPerson()
    const { visitor } = await signIn(email)
    await visitor.submit('/app/sign-out')
    expect(visitor.cookie).toBeUndefined()
    await signIn(email, { password: 'wrong guess' })
    await countAttempts(1000)
    expect((await signIn(email)).answer.status).toBe(429)
    const fields = { email, password: 'a slip' }
    for (let i = 0; i < passwords.perPlace.attempts; i++) {
      expect((await visitor.submit('/app/sign-in', fields)).status).toBe(401)
    }
    expect((await visitor.submit('/app/sign-in', fields)).status).toBe(429)
    advanceSeconds(900)
    expect((await visitor.submit('/app/sign-in', { email, password })).status).toBe(303)
  })

  it('counts a browser as that of a stranger for every other person, and after a new password', async () => {
    const [victim, other] = [await aPerson(), await aPerson()]
    const { visitor } = await signIn(other.email)
    await signIn(victim.email, { password: 'wrong guess' })
    await countAttempts(1000)
    expect((await visitor.submit('/app/sign-in', { email: victim.email, password })).status).toBe(
      429,
    )
    const fields = { current: password, password: 'a brand new password' }
    expect((await other.submit('/app/settings/password', fields)).status).toBe(303)
    const late = { email: other.email, password: 'a brand new password' }
    expect((await visitor.submit('/app/sign-in', late)).status).toBe(429)
    expect((await other.submit('/app/sign-in', late)).status).toBe(303)
  })

  it('takes no mark of a browser that it did not make', async () => {
    const { email } = await aPerson()
    const { visitor } = await signIn(email)
    const genuine = visitor.browserCookie ?? ''
    await signIn(email, { password: 'wrong guess' })
    await countAttempts(1000)
    for (const forged of [
      genuine.replace('=', '=0'),
      `${genuine.slice(0, -64)}${'0'.repeat(64)}`,
    ]) {
      visitor.browserCookie = forged
      expect((await visitor.submit('/app/sign-in', { email, password })).status).toBe(429)
    }
    visitor.browserCookie = genuine
    expect((await visitor.submit('/app/sign-in', { email, password })).status).toBe(303)
  })

  it('stops guesses from one network at many accounts, and lets others in', async () => {
    const { email } = await aPerson()
    expect((await guess(anEmail(), '2001:db8::1')).status).toBe(401)
    await countAttempts(passwords.perNetwork.attempts)
    expect((await guess(anEmail(), '2001:db8::ffff')).status).toBe(429)
    expect((await guess(anEmail(), '203.0.113.9')).status).toBe(401)
    advanceSeconds(900)
    expect((await signIn(email)).answer.status).toBe(303)
  })

  it('does not count a sign-in that succeeds', async () => {
    const { email } = await aPerson()
    await signIn(email, { password: 'wrong guess' })
    await countAttempts(passwords.perPlace.attempts - 1)
    for (let i = 0; i < 3; i++) expect((await signIn(email)).answer.status).toBe(303)
    expect((await signIn(email, { password: 'wrong guess' })).answer.status).toBe(401)
    expect((await signIn(email)).answer.status).toBe(429)
  })

  it('counts guesses that are sent at once', async () => {
    const { email } = await aPerson()
    await signIn(email, { password: 'guess' })
    await countAttempts(passwords.perPlace.attempts - 2)
    const guesses = Array.from({ length: 8 }, async () => signIn(email, { password: 'guess' }))
    const statuses = (await Promise.all(guesses)).map(({ answer }) => answer.status)
    expect(statuses.toSorted()).toEqual([401, 401, 429, 429, 429, 429, 429, 429])
  })

  it('keeps addresses and passwords out of the log and of what counts attempts', async () => {
    const log = recordLog()
    const { email } = await aPerson()
    await signIn(email, { password: 'not the password' })
    await signIn('my secret password', { password: 'ada@example.com' })
    expect(log.texts.join('\n')).not.toMatch(/correct horse|not the password|my secret|@example/)
    const { results } = await bindings.DB.prepare('SELECT subject FROM attempts').all()
    expect(JSON.stringify(results)).not.toContain(email)
  })

  it('shows somebody who is signed in where they wanted to go', async () => {
    const person = await aPerson()
    const answer = await person.get('/app/sign-in?next=%2Fapp%2Fsettings')
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/app/settings'])
  })
})
