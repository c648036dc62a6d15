import { describe, expect, it, vi } from 'vitest'
import { bindings } from '../../support/worker/bindings.ts'
import { advanceSeconds, stopTheClock } from '../../support/worker/clock.ts'
import { recordLog } from '../../support/worker/log-lines.ts'
import {
  anEmail,
  aPerson,
  password,
  standBeforeSignIn,
  Visitor,
} from '../../support/worker/visitor.ts'

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
    const answer = await visitor.submit('/app/sign-up', { email, password, name: 'Ada' })
    expect(answer.text).toContain('Check your mail')
    expect(visitor.cookie).toBeUndefined()
    expect(sent).toMatchObject([{ from: withMail.MAIL_FROM, to: [email] }])
    const link = linkIn(sent[0])
    const people = bindings.DB.prepare('SELECT name FROM people WHERE email = ?').bind(email)
    expect(await people.first()).toBeNull()
    // A program that looks through mails opens links; that makes nothing.
    expect((await new Visitor(withMail).get(link)).text).toContain(email)
    expect(await people.first()).toBeNull()
    expect((await visitor.submit(link)).status).toBe(303)
    expect(await people.first('name')).toBe('Ada')
    expect((await visitor.get('/app/videos')).status).toBe(200)
    expect((await new Visitor(withMail).submit(link)).status).toBe(404)
  })

  it('tells only the owner of a known address that it is known', async () => {
    const sent = standInMail()
    const { email } = await aPerson()
    const unknown = anEmail()
    const said = async (address: string) => {
      const { status, text } = await new Visitor(withMail).submit('/app/sign-up', {
        email: address,
        password: 'another password',
      })
      return [status, text.replaceAll(address, 'EMAIL')]
    }
    expect(await said(email)).toEqual(await said(unknown))
    expect(sent.map(({ text }) => text.includes('has one already'))).toEqual([true, false])
    expect(linkIn(sent[0])).toBe('')
  })

  it('forgets a sign-up that nobody confirms within the hour', async () => {
    const sent = standInMail()
    await new Visitor(withMail).submit('/app/sign-up', { email: anEmail(), password })
    advanceSeconds(3600)
    expect((await new Visitor(withMail).submit(linkIn(sent[0]))).status).toBe(404)
  })
})

describe('sendMail', () => {
  it('notes a mail that was not sent, without what it said or to whom', async () => {
    standInMail(500)
    const log = recordLog()
    const { email } = await aPerson()
    const answer = await new Visitor(withMail).submit('/app/reset', { email })
    expect(answer.status).toBe(200)
    const [line] = log.lines().filter(({ event }) => event === 'a mail was not sent')
    expect(line).toMatchObject({ level: 'error', error: 'The mail API answered with 500' })
    expect(log.texts.join('\n')).not.toMatch(/\/app\/reset\/\w|@example|re_secret/)
  })
})
