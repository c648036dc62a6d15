import { describe, expect, it } from 'vitest'
import { signInLimits } from '../../../worker/contract/limits.ts'
import { bindings } from '../../support/worker/bindings.ts'
import { advanceSeconds, stopTheClock } from '../../support/worker/clock.ts'
import { recordLog } from '../../support/worker/log-lines.ts'
import {
  anEmail,
  aPerson,
  signIn,
  standBeforeSignIn,
  Visitor,
} from '../../support/worker/dashboard/visitor.ts'

stopTheClock()
standBeforeSignIn()

const fresh = 'a brand new password'

/** Asks for a link as somebody without a session, and finds it in the mail that a local service logs. */
async function askForLink(email: string): Promise<string | undefined> {
  const log = recordLog()
  const answer = await new Visitor({}).submit('/app/reset', { email })
  expect(answer.status, answer.text).toBe(200)
  expect(answer.text).toContain('a link is on its way')
  const mail = log.lines().find(({ event }) => event === 'mail')
  if (!mail) return undefined
  expect(mail['to']).toBe(email)
  return /\/app\/reset\/\w+/.exec(String(mail['text']))?.[0]
}

describe('/app/reset', () => {
  it('lets who reads the mail choose a new password, and ends every session there was', async () => {
    const person = await aPerson()
    const link = (await askForLink(person.email)) ?? ''
    const visitor = new Visitor()
    expect((await visitor.get(link)).text).toContain('name="password"')
    const answer = await visitor.submit(link, { password: fresh })
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/app/videos'])
    expect((await visitor.get('/app/videos')).status).toBe(200)
    expect((await person.get('/app/videos')).status).toBe(303)
    expect((await signIn(person.email)).answer.status).toBe(401)
    expect((await signIn(person.email, { password: fresh })).answer.status).toBe(303)
  })

  it('sends a link that works once', async () => {
    const { email } = await aPerson()
    const link = (await askForLink(email)) ?? ''
    const twice = await Promise.all([
      new Visitor().submit(link, { password: fresh }),
      new Visitor().submit(link, { password: 'the password of a thief' }),
    ])
    expect(twice.map(({ status }) => status).toSorted()).toEqual([303, 404])
    expect((await new Visitor().get(link)).status).toBe(404)
  })

  it('sends a link that works for an hour, and none before it once a password is changed', async () => {
    const { email } = await aPerson()
    const late = (await askForLink(email)) ?? ''
    advanceSeconds(3600)
    expect((await new Visitor().submit(late, { password: fresh })).status).toBe(404)
    const [first, second] = [(await askForLink(email)) ?? '', (await askForLink(email)) ?? '']
    expect((await new Visitor().submit(second, { password: fresh })).status).toBe(303)
    expect((await new Visitor().submit(first, { password: fresh })).status).toBe(404)
  })

  it('does not use the link up on a password that is not good', async () => {
    const { email } = await aPerson()
    const link = (await askForLink(email)) ?? ''
    const refused = await new Visitor().submit(link, { password: '12345678' })
    expect([refused.status, refused.text.includes('guessed first')]).toEqual([400, true])
    expect((await new Visitor().submit(link, { password: fresh })).status).toBe(303)
  })

  it('tells nobody who has an account', async () => {
    const { email } = await aPerson()
    const unknown = anEmail()
    const said = async (address: string) => {
      const { status, text } = await new Visitor({}).submit('/app/reset', { email: address })
      return [status, text.replaceAll(address, 'EMAIL')]
    }
    expect(await said(unknown)).toEqual(await said(email))
    expect(await askForLink(unknown)).toBeUndefined()
  })

  it('is limited for each address, and not for a browser in which its owner has signed in before', async () => {
    const person = await aPerson()
    const { email } = person
    const { attempts } = signInLimits.resets.perPlace
    for (let i = 0; i < attempts; i++) await askForLink(email)
    const refused = await new Visitor().submit('/app/reset', { email })
    expect(refused.status).toBe(429)
    expect(refused.headers.get('Retry-After')).toBe('3600')
    expect((await person.submit('/app/reset', { email })).status).toBe(200)
  })

  it('says what to do instead where no mail can be sent', async () => {
    const visitor = new Visitor({ ENVIRONMENT: 'production' })
    const { text } = await visitor.get('/app/reset')
    expect(text).toContain('Ask its operator for a sign-in link')
    const { email } = await aPerson()
    const before = bindings.DB.prepare('SELECT count(*) AS n FROM one_time_tokens')
    const count = await before.first('n')
    await visitor.submit('/app/reset', { email })
    expect(await before.first('n')).toBe(count)
  })
})
