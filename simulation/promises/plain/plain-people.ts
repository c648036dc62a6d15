import { PlainSession } from '../../actors/plain-session.ts'
import type { Answer } from '../../actors/exchange.ts'
import type { Plainly } from './plain-parts.ts'

const hourMs = 3_600_000
const fromHere = {
  'Sec-Fetch-Site': 'same-origin',
  'Content-Type': 'application/x-www-form-urlencoded',
}

/** A link signs in once and within an hour, a session ends when its person wants, and an invitation can be used once. */
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
  await judgePurpose(parts, await linkFor(account.accountId))
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
  const accepted = await stranger.post(invitation)
  own.same('the one who accepts it', accepted?.status, 303)
  const joined = browserFor(parts, accepted)
  own.same('somebody who comes later', (await third.post(invitation))?.status, 404)
  await judgeMembers(parts, { owner: first, joined })
  await second.post('/app/settings/sessions/end-others')
  await first.sees(401)
  await second.sees(200)
  await second.post('/app/sign-out')
  await second.sees(401)
  await third.sees(200)
  // As if the sessions had expired without a sweep.
  parts.database.read('UPDATE sessions SET expires_at = ?', parts.world.loop.wall)
  await third.sees(401)
  await own.pause(hourMs + 1_000)
  await own.expect(404, ['GET', late])
}

/** A link that signs in does nothing else: nobody sets another password with it. */
async function judgePurpose({ own }: Plainly, link: string): Promise<void> {
  const path = `/app/reset/${link.split('/').at(-1) ?? ''}`
  const password = 'another password that is long enough'
  const form = `password=${encodeURIComponent(password)}`
  const answer = await own.ask(['POST', path], fromHere, form)
  own.same('a link that signs in, where a password is set', answer?.status, 404)
}

/** An invited person has the role of the invitation until an owner ends that. An account keeps its last owner. */
async function judgeMembers(
  { own, account, database }: Plainly,
  { owner, joined }: { owner: Browser; joined: Browser },
): Promise<void> {
  const sql = 'SELECT person_id AS id, role FROM members WHERE account_id = ? ORDER BY created_at'
  const members = () => database.read<{ id: string; role: string }>(sql, account.accountId)
  const rolesNow = () => members().map(({ role }) => role)
  own.same('the people of an account', rolesNow(), ['owner', 'member'])
  const [first, last] = members().map(({ id }) => `personId=${id}`)
  const remove = async (by: Browser, who = ''): Promise<number | undefined> =>
    (await by.post('/app/settings/people/remove', who))?.status
  await joined.sees(200)
  own.same('an owner whom a member removes', await remove(joined, first), 403)
  own.same('a member who makes an owner of herself', await give(joined, last, 'owner'), 403)
  own.same('the last owner who becomes a member', await give(owner, first, 'member'), 409)
  own.same('the last owner who leaves', await remove(owner, first), 409)
  own.same('the people after that', rolesNow(), ['owner', 'member'])
  own.same('a member whom an owner removes', await remove(owner, last), 303)
  await joined.sees(401)
  own.same('the people who are left', rolesNow(), ['owner'])
}

async function give(by: Browser, who = '', role = ''): Promise<number | undefined> {
  return (await by.post('/app/settings/people/role', `${who}&role=${role}`))?.status
}

async function signIn(parts: Plainly, link: string): Promise<Browser> {
  const answer = await parts.own.ask(['GET', link])
  parts.own.same('the answer to a link', answer?.status, 303)
  return browserFor(parts, answer)
}

function browserFor({ world, exchange, account }: Plainly, answer: Answer | undefined): Browser {
  const cookies = (answer?.headers.getSetCookie() ?? []).map((one) => one.split(';')[0] ?? '')
  // Without a key, which would say who asks.
  const session = new PlainSession({ world, exchange }, { ...account, key: '' })
  return new Browser(session, cookies.join('; '))
}
/** The browser of a person who is signed in. */
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
