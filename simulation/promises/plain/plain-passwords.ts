import { Browser } from '../../actors/browser.ts'
import type { Plainly } from './plain-parts.ts'

const signInPath = '/app/sign-in'
const resetPath = '/app/reset'
/** As documented. */
const mostTries = 10
const refusedMs = 900_000
/** Longer than a mail takes. */
const mailedMs = 5_000
/** How somebody who has signed in is answered. */
const home = [303, '/app/videos']
const [first, second, third] = ['a first', 'a second', 'a third'].map((one) => `${one} password`)

/** Who has the password comes in, nobody may guess it often, and neither shuts out the browser that the owner knows. */
export async function judgePasswords(parts: Plainly): Promise<void> {
  const { own, operator, accounts } = parts
  const account = accounts[3]
  if (!account) return
  const email = 'dan-with-a-password@example.com'
  const { accountId } = account
  const opened = async (): Promise<Browser> => {
    const { url } = await operator.command({ command: 'people.link', accountId })
    const browser = new Browser(parts)
    await browser.open(new URL(String(url)).pathname)
    return browser
  }
  const [owner, elsewhere] = [await opened(), await opened()]
  const set = await owner.post('/app/settings/password', formOf({ email, password: first }))
  own.same('a first password', set?.status, 303)
  await owner.sees(200)
  await elsewhere.sees(401)
  const enter = async (browser: Browser, password = '', more = {}): Promise<unknown[]> => {
    const answer = await browser.post(signInPath, formOf({ email, password, ...more }))
    return [answer?.status, answer?.headers.get('Location') ?? '']
  }
  own.same('who signs in', await enter(new Browser(parts), first), home)
  await judgeAddresses(parts, enter)
  for (let tries = 0; tries < mostTries; tries++)
    own.same('a wrong password', (await enter(elsewhere, second))[0], 401)
  const refused = await elsewhere.post(signInPath, formOf({ email, password: first }))
  own.same('one password too many', refused?.status, 429)
  const waitSeconds = Number(refused?.headers.get('Retry-After'))
  const isSo = waitSeconds <= refusedMs / 1_000 && waitSeconds > refusedMs / 2_000
  own.same('whether it is told when to try again', isSo, true)
  own.same('the browser that is known', await enter(owner, first), home)
  // Who goes on guessing waits no longer for that.
  await own.pause(refusedMs / 2)
  own.same('one more', (await enter(elsewhere, second))[0], 429)
  await own.pause(refusedMs / 2)
  own.same('who has waited', await enter(elsewhere, first), home)
  const copied = elsewhere.copied()
  own.same('who signs in again', await enter(elsewhere, first), home)
  await copied.sees(401)
  const change = async (current = '', password = ''): Promise<number | undefined> =>
    (await owner.post('/app/settings/password', formOf({ current, password })))?.status
  own.same('another password without the present one', await change(third, second), 400)
  own.same('another password', await change(first, second), 303)
  await owner.sees(200)
  await elsewhere.sees(401)
  own.same('the password of before', (await enter(elsewhere, first))[0], 401)
  own.same('the new one', await enter(elsewhere, second), home)
  await judgeResets(parts, { email, owner, enter })
}

type Enter = (browser: Browser, password?: string, more?: object) => Promise<unknown[]>
type Resetting = { email: string; owner: Browser; enter: Enter }

/** A link that was asked for sets a password once and within an hour, and ends all sessions. */
async function judgeResets(parts: Plainly, { email, owner, enter }: Resetting): Promise<void> {
  const { own, mails, database, world } = parts
  const askForLink = async (): Promise<string> => {
    const asked = await owner.post(resetPath, formOf({ email }))
    own.same('a link that is asked for', asked?.status, 200)
    await own.pause(mailedMs)
    return /\/app\/reset\/[\w-]+/.exec(mails.to(email).at(-1)?.text ?? '')?.[0] ?? ''
  }
  const late = await askForLink()
  // As if it had expired without a sweep.
  database.read('UPDATE one_time_tokens SET expires_at = ?', world.loop.wall)
  const tooLate = await new Browser(parts).post(late, formOf({ password: third }))
  own.same('a link that resets too late', tooLate?.status, 404)
  const link = await askForLink()
  const reset = new Browser(parts)
  own.same('a link that resets', (await reset.post(link, formOf({ password: third })))?.status, 303)
  await reset.sees(200)
  await owner.sees(401)
  own.same('that link again', (await owner.post(link, formOf({ password: first })))?.status, 404)
  own.same('what was set with it', (await enter(owner, second))[0], 401)
  own.same('what was set before', await enter(owner, third), home)
}

/** Who has signed in goes where a page of the service sent them, and nowhere else. No other site signs anybody in. */
async function judgeAddresses(parts: Plainly, enter: Enter): Promise<void> {
  const { own } = parts
  const go = async (next: string): Promise<unknown[]> => enter(new Browser(parts), first, { next })
  own.same('where a page leads', await go('/app/keys?new=1'), [303, '/app/keys?new=1'])
  for (const next of [
    'https://example.com/app/',
    '//example.com/app/',
    '/\\example.com',
    '/app/api/x',
  ])
    own.same(`where ${next} leads`, await go(next), home)
  for (const from of [
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://spool.example.com' },
    { Origin: 'https://example.com' },
  ]) {
    const answer = await new Browser(parts).post(signInPath, formOf({ password: first }), from)
    own.same('a form of another site', answer?.status, 403)
  }
}

function formOf(fields: Readonly<Record<string, string | undefined>>): string {
  return new URLSearchParams(fields as Record<string, string>).toString()
}
