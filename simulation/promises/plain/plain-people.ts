import { Browser } from '../../actors/browser.ts'
import type { Plainly } from './plain-parts.ts'

const hourMs = 3_600_000

/** A link signs in once and within an hour, a session ends when its person wants, and an invitation can be used once. */
export async function judgePeople(parts: Plainly): Promise<void> {
  const { own, operator, accounts, account } = parts
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
  const invitation = await invite(parts, first, 'dan@example.com')
  const joined = stranger
  own.same('the one who accepts it', (await joined.post(invitation))?.status, 303)
  own.same('somebody who comes later', (await third.post(invitation))?.status, 404)
  await judgeInvitations(parts, first, third)
  await judgeElsewhere(parts, first)
  await judgeMembers(parts, { owner: first, joined })
  await judgeNewcomer(parts, first)
  await second.post('/app/settings/sessions/end-others')
  await first.sees(401)
  await second.sees(200)
  const copied = second.copied()
  await second.post('/app/sign-out')
  await second.sees(401)
  await copied.sees(401)
  await third.sees(200)
  await judgeUse(parts, third)
  // As if the sessions had expired without a sweep.
  parts.database.read('UPDATE sessions SET expires_at = ?', parts.world.loop.wall)
  await third.sees(401)
  await own.pause(hourMs + 1_000)
  await own.expect(404, ['GET', late])
}

/** Returns the path that the mail names. */
async function invite({ own, mails }: Plainly, owner: Browser, email: string): Promise<string> {
  const form = `email=${encodeURIComponent(email)}&role=member`
  const invited = await owner.post('/app/settings/invitations', form)
  const mail = mails.to(email).at(-1)
  const invitation = /\/app\/invitations\/[\w-]+/.exec(mail?.text ?? '')?.[0] ?? ''
  own.same('an invitation', [invited?.status, invitation === ''], [200, false])
  return invitation
}

/** An invitation that was sent once more, withdrawn, or is over, lets nobody in; no other account withdraws it. */
async function judgeInvitations(parts: Plainly, owner: Browser, guest: Browser): Promise<void> {
  const { own, database, world } = parts
  const email = 'eve@example.com'
  const withdraw = async (by: Browser): Promise<void> => {
    const [row] = database.read('SELECT id FROM invitations WHERE email = ?', email)
    await by.post('/app/settings/invitations/withdraw', `invitationId=${String(row?.['id'])}`)
  }
  const left = (): number =>
    database.read('SELECT 1 FROM invitations WHERE email = ?', email).length
  const before = await invite(parts, owner, email)
  const after = await invite(parts, owner, email)
  own.same('the invitation of before', (await guest.post(before))?.status, 404)
  await withdraw(guest)
  own.same('an invitation that another account withdraws', left(), 1)
  await withdraw(owner)
  own.same('an invitation that its account withdraws', left(), 0)
  own.same('an invitation that was withdrawn', (await guest.post(after))?.status, 404)
  const last = await invite(parts, owner, email)
  // As if it had expired without a sweep.
  database.read('UPDATE invitations SET expires_at = ?', world.loop.wall)
  own.same('an invitation that is over', (await guest.post(last))?.status, 404)
}

/** A link that signs in does nothing else: nobody sets another password with it. */
async function judgePurpose(parts: Plainly, link: string): Promise<void> {
  const path = `/app/reset/${link.split('/').at(-1) ?? ''}`
  const password = 'another password that is long enough'
  const form = `password=${encodeURIComponent(password)}`
  const answer = await new Browser(parts).post(path, form)
  parts.own.same('a link that signs in, where a password is set', answer?.status, 404)
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
  const statusOf = async (by: Browser, path: string) => (await by.open(path))?.status
  for (const path of ['/app/api/keys', '/app/api/webhooks/secret']) {
    own.same(`${path} for a member`, await statusOf(joined, path), 403)
    own.same(`${path} for an owner`, await statusOf(owner, path), 200)
  }
  own.same('what the operator sees', await statusOf(owner, '/app/operator'), 404)
  const elsewhere = await joined.post('/app/settings/switch', 'accountId=a_0000000000000000')
  own.same('a member who goes to a strange account', elsewhere?.status, 404)
  own.same('an owner whom a member removes', await remove(joined, first), 403)
  own.same('a member who makes an owner of herself', await give(joined, last, 'owner'), 403)
  own.same('the last owner who becomes a member', await give(owner, first, 'member'), 409)
  own.same('the last owner who leaves', await remove(owner, first), 409)
  own.same('the people after that', rolesNow(), ['owner', 'member'])
  own.same('a member whom an owner removes', await remove(owner, last), 303)
  await joined.sees(401)
  own.same('the people who are left', rolesNow(), ['owner'])
}

/** Somebody who signs up with an invitation has its role, in its account alone. */
async function judgeNewcomer(parts: Plainly, owner: Browser): Promise<void> {
  const { own, account, database } = parts
  const email = 'eve-who-is-new@example.com'
  const invitation = (await invite(parts, owner, email)).split('/').at(-1) ?? ''
  const newcomer = new Browser(parts)
  const fields = new URLSearchParams({ invitation, email, name: 'Eve', password: 'words of hers' })
  const signedUp = await newcomer.post('/app/sign-up', fields.toString())
  own.same('a sign-up with an invitation', signedUp?.status, 303)
  const sql = `SELECT members.account_id AS accountId, role FROM members JOIN people ON people.id = person_id WHERE email = ?`
  const { accountId } = account
  own.same('what a newcomer may do', database.read(sql, email), [{ accountId, role: 'member' }])
  await newcomer.sees(200)
}

/** Who becomes an owner of one account stays what they are in others. */
async function judgeElsewhere(
  { own, account, accounts, database }: Plainly,
  owner: Browser,
): Promise<void> {
  const elsewhere = accounts[3]?.accountId ?? ''
  const sql = "SELECT person_id AS id FROM members WHERE account_id = ? AND role = 'member'"
  const [member] = database.read(sql, account.accountId)
  const id = String(member?.['id'])
  // As if another account had invited the same person long ago.
  const values = "(account_id, person_id, role, created_at) VALUES (?, ?, 'member', 0)"
  database.read(`INSERT INTO members ${values}`, elsewhere, id)
  const made = await give(owner, `personId=${id}`, 'owner')
  own.same('a member who becomes an owner', made, 303)
  const roles = 'SELECT role FROM members WHERE account_id = ? AND person_id = ?'
  const roleIn = (accountId: string) => database.read(roles, accountId, id)[0]?.['role']
  const found = [account.accountId, elsewhere].map(roleIn)
  own.same('the roles of somebody who was made an owner in one account', found, ['owner', 'member'])
  await give(owner, `personId=${id}`, 'member')
  database.read('DELETE FROM members WHERE account_id = ? AND person_id = ?', elsewhere, id)
}

async function give(by: Browser, who = '', role = ''): Promise<number | undefined> {
  return (await by.post('/app/settings/people/role', `${who}&role=${role}`))?.status
}

async function signIn(parts: Plainly, link: string): Promise<Browser> {
  const browser = new Browser(parts)
  parts.own.same('the answer to a link', (await browser.open(link))?.status, 303)
  return browser
}

/** A session lasts as long as it is used, and what it asks counts in the windows of its person. */
async function judgeUse({ own, database }: Plainly, browser: Browser): Promise<void> {
  const sql = 'SELECT max(expires_at) AS at FROM sessions'
  const lastEnd = () => Number(database.read(sql)[0]?.['at'])
  const before = lastEnd()
  await own.pause(hourMs + 1_000)
  await browser.sees(200)
  own.same('whether a session that is used lasts longer', lastEnd() > before + hourMs, true)
  const { now } = JSON.parse((await browser.open('/app/api/usage'))?.text ?? '{}') as {
    now?: { requests: { lane: string; limit: number; remaining: number }[] }
  }
  const reads = now?.requests.find(({ lane }) => lane === 'reads')
  own.same('what a person has asked', (reads?.limit ?? 0) - (reads?.remaining ?? 0), 2)
}
