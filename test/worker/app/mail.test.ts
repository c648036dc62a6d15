import { describe, expect, it, vi } from 'vitest'
import { signInLimits } from '../../../worker/contract/limits.ts'
import { anAccount } from '../../support/worker/accounts.ts'
import { bindings } from '../../support/worker/bindings.ts'
import { advanceSeconds, stopTheClock } from '../../support/worker/clock.ts'
import { recordLog } from '../../support/worker/log-lines.ts'
import {
  anEmail,
  aPerson,
  ownerLink,
  password,
  signIn,
  standBeforeSignIn,
  Visitor,
} from '../../support/worker/dashboard/visitor.ts'

stopTheClock()
standBeforeSignIn()

const withMail = {
  ENVIRONMENT: 'production',
  MAIL_API_URL: 'https://mail.example.com/emails',
  MAIL_API_KEY: 're_secret',
  MAIL_FROM: 'Spool <spool@example.com>',
}

type Sent = { from: string; to: string[]; subject: string; text: string }

/** A mail API that answers as told, and what it was sent. */
function standInMail(status = 200): Sent[] {
  const sent: Sent[] = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init)
    expect(request.url).toBe(withMail.MAIL_API_URL)
    expect(request.headers.get('Authorization')).toBe('Bearer re_secret')
    sent.push(await request.json())
    return new Response('{}', { status })
  })
  return sent
}

const linkIn = (mail: Sent | undefined) => /\/app\/sign-up\/\w+/.exec(mail?.text ?? '')?.[0] ?? ''

describe('a sign-up where mails can be sent', () => {
  it('makes an account once the link of the mail is opened and confirmed', async () => {
    const sent = standInMail()
    const email = anEmail()
    const visitor = new Visitor(withMail)
    expect((await visitor.get('/app/sign-up')).text).not.toContain('name="password"')
    const answer = await visitor.submit('/app/sign-up', { email })
    expect(answer.text).toContain('Check your mail')
    expect(visitor.cookie).toBeUndefined()
    expect(sent).toMatchObject([{ from: withMail.MAIL_FROM, to: [email] }])
    const link = linkIn(sent[0])
    const people = bindings.DB.prepare('SELECT name FROM people WHERE email = ?').bind(email)
    expect(await people.first()).toBeNull()
    // A program that looks through mails opens links; that makes nothing.
    expect((await new Visitor(withMail).get(link)).text).toContain(email)
    expect(await people.first()).toBeNull()
    const refused = await visitor.submit(link, { name: 'Ada', password: '12345678' })
    expect([refused.status, refused.text.includes('guessed first')]).toEqual([400, true])
    expect(refused.text).toContain('value="Ada"')
    expect((await visitor.submit(link, { name: 'Ada', password })).status).toBe(303)
    expect(await people.first('name')).toBe('Ada')
    expect((await visitor.get('/app/videos')).status).toBe(200)
    expect((await new Visitor(withMail).submit(link, { password })).status).toBe(404)
    expect((await signIn(email)).answer.status).toBe(303)
  })

  it('keeps nothing that a stranger said who began it: name and password are chosen by who has the mail', async () => {
    const sent = standInMail()
    const email = anEmail()
    const theirs = 'the password of a stranger'
    const stranger = new Visitor(withMail)
    await stranger.submit('/app/sign-up', { email, password: theirs, name: 'Mallory' })
    const link = linkIn(sent[0])
    const visitor = new Visitor(withMail)
    expect((await visitor.get(link)).text).not.toContain('Mallory')
    expect((await visitor.submit(link)).status).toBe(400)
    const kept = bindings.DB.prepare('SELECT details FROM one_time_tokens')
    expect(JSON.stringify((await kept.all()).results)).not.toMatch(/Mallory|scrypt/)
    expect((await visitor.submit(link, { password })).status).toBe(303)
    expect((await signIn(email, { password: theirs })).answer.status).toBe(401)
    expect((await stranger.get('/app/videos')).status).toBe(303)
    expect((await visitor.get('/app/settings')).text).not.toContain('Mallory')
  })

  it('leaves the account alone when another link for the same address is confirmed later', async () => {
    const sent = standInMail()
    const email = anEmail()
    for (let i = 0; i < 2; i++) await new Visitor(withMail).submit('/app/sign-up', { email })
    const [first, second] = sent.map(linkIn)
    await new Visitor(withMail).submit(first ?? '', { password })
    const late = new Visitor(withMail)
    await late.submit(second ?? '', { password: 'another password' })
    expect((await late.get('/app/welcome')).status).toBe(401)
    expect((await signIn(email)).answer.status).toBe(303)
  })

  it('sends a limited number of mails to one address', async () => {
    const sent = standInMail()
    const email = anEmail()
    const { attempts } = signInLimits.signUps.perPlace
    for (let i = 0; i < attempts; i++) await new Visitor(withMail).submit('/app/sign-up', { email })
    expect((await new Visitor(withMail).submit('/app/sign-up', { email })).status).toBe(429)
    expect(sent).toHaveLength(attempts)
  })

  it('tells only the owner of a known address that it is known', async () => {
    const sent = standInMail()
    const { email } = await aPerson()
    const unknown = anEmail()
    const said = async (address: string) => {
      const form = { email: address }
      const { status, text } = await new Visitor(withMail).submit('/app/sign-up', form)
      return [status, text.replaceAll(address, 'EMAIL')]
    }
    expect(await said(email)).toEqual(await said(unknown))
    expect(sent.map(({ text }) => text.includes('already has one'))).toEqual([true, false])
    expect(linkIn(sent[0])).toBe('')
  })

  it('forgets a sign-up that nobody confirms within the hour', async () => {
    const sent = standInMail()
    await new Visitor(withMail).submit('/app/sign-up', { email: anEmail() })
    advanceSeconds(3600)
    expect((await new Visitor(withMail).submit(linkIn(sent[0]), { password })).status).toBe(404)
  })
})

describe('an invitation where mails can be sent', () => {
  const invite = async (email: string) => {
    const owner = new Visitor(withMail)
    await owner.get(await ownerLink(await anAccount('100000/60')))
    const fields = { email, role: 'member' }
    return { owner, answer: await owner.submit('/app/settings/invitations', fields) }
  }

  it('shows its link only to who has the mail, because the link makes a person of the address', async () => {
    const sent = standInMail()
    const email = anEmail()
    const { answer } = await invite(email)
    expect(answer.text).toContain('The invitation is on its way')
    expect(answer.text).not.toMatch(/\/app\/invitations\/\w{43}/)
    const link = /\/app\/invitations\/\w{43}/.exec(sent[0]?.text ?? '')?.[0] ?? ''
    const invited = new Visitor(withMail)
    expect((await invited.get(link)).text).toContain('name="password"')
    const fields = { email, password, invitation: link.slice(17) }
    expect((await invited.submit('/app/sign-up', fields)).status).toBe(303)
    expect((await invited.get('/app/videos')).status).toBe(200)
  })

  it('says that nobody is invited if the mail cannot be sent', async () => {
    standInMail(500)
    recordLog()
    const email = anEmail()
    const { owner, answer } = await invite(email)
    expect(answer.status).toBe(502)
    expect(answer.text).toContain('The invitation could not be sent.')
    expect((await owner.get('/app/settings')).text).not.toContain('Open invitations')
  })
})

it('sendMail notes a mail that was not sent, without what it said or to whom', async () => {
  standInMail(500)
  const log = recordLog()
  const { email } = await aPerson()
  const answer = await new Visitor(withMail).submit('/app/reset', { email })
  expect(answer.status).toBe(200)
  const [line] = log.lines().filter(({ event }) => event === 'a mail was not sent')
  expect(line).toMatchObject({ level: 'error', error: 'The mail API answered with 500' })
  expect(log.texts.join('\n')).not.toMatch(/\/app\/reset\/\w|@example|re_secret/)
})
