import { PlainSession } from '../../actors/plain-session.ts'
import type { Answer } from '../../actors/exchange.ts'
import type { Plainly } from './plain-parts.ts'

const hourMs = 3_600_000
const fromHere = {
  'Sec-Fetch-Site': 'same-origin',
  'Content-Type': 'application/x-www-form-urlencoded',
}

/** A link signs in once and for an hour, a session ends when its person wants it, and an invitation is used once. */
export async function judgePeople(parts: Plainly): Promise<void> {
  const { own, operator, accounts, account, mails } = parts
  const linkFor = async (accountId = ''): Promise<string> => {
    const { url } = await operator.command({ command: 'people.link', accountId })
    return new URL(String(url)).pathname
  }
  const link = await linkFor(account.accountId)
  const late = await linkFor(account.accountId)
  const first = await signIn(parts, link)
  await own.expect(404, ['GET', link])
  const second = await signIn(parts, await linkFor(account.accountId))
  for (const one of [first, second]) await one.sees(200)
  const stranger = await signIn(parts, await linkFor(accounts[0]?.accountId))
  const third = await signIn(parts, await linkFor(accounts[3]?.accountId))
  const theirs = await stranger.videos()
  const mine = new Set((await own.list('/v1/videos')).map(({ videoId }) => videoId))
  own.same(
    'what somebody else sees',
    theirs.filter((id) => mine.has(id)),
    [],
  )
  const invited = await first.post(
    '/app/settings/invitations',
    'email=dan%40example.com&role=member',
  )
  const mail = mails.to('dan@example.com').at(-1)
  const invitation = /\/app\/invitations\/[\w-]+/.exec(mail?.text ?? '')?.[0] ?? ''
  own.same('an invitation', [invited?.status, invitation === ''], [200, false])
  own.same('the one who accepts it', (await stranger.post(invitation))?.status, 303)
  own.same('somebody who comes later', (await third.post(invitation))?.status, 404)
  await second.post('/app/settings/sessions/end-others')
  await first.sees(401)
  await second.sees(200)
  await second.post('/app/sign-out')
  await second.sees(401)
  await third.sees(200)
  await own.pause(hourMs + 1_000)
  await own.expect(404, ['GET', late])
}

async function signIn({ own, world, exchange, account }: Plainly, link: string): Promise<Browser> {
  const answer = await own.ask(['GET', link])
  own.same('the answer to a link', answer?.status, 303)
  const cookies = (answer?.headers.getSetCookie() ?? []).map((one) => one.split(';')[0] ?? '')
  // A key would say who asks.
  return new Browser(
    new PlainSession({ world, exchange }, { ...account, key: '' }),
    cookies.join('; '),
  )
}

/** Somebody who is signed in. */
class Browser {
  readonly #session: PlainSession
  readonly #cookie: string

  constructor(session: PlainSession, cookie: string) {
    this.#session = session
    this.#cookie = cookie
  }

  async post(path: string, form = ''): Promise<Answer | undefined> {
    return this.#session.ask(['POST', path], { ...fromHere, Cookie: this.#cookie }, form)
  }

  async videos(): Promise<unknown[]> {
    const answer = await this.#read()
    const { data } = JSON.parse(answer?.text ?? '{}') as { data: { videoId: string }[] }
    return data.map(({ videoId }) => videoId)
  }

  async sees(status: number): Promise<void> {
    this.#session.same('what a session answers', (await this.#read())?.status, status)
  }

  async #read(): Promise<Answer | undefined> {
    return this.#session.ask(['GET', '/app/api/videos'], { Cookie: this.#cookie })
  }
}
