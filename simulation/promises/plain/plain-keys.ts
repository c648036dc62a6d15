import { PlainSession } from '../../actors/plain-session.ts'
import type { Plainly } from './plain-parts.ts'

const path = '/v1/keys'
const all = ['videos:read', 'videos:write', 'keys:manage']
const hourMs = 3_600_000
/** In the simulated world. */
const mostKeys = 12
/** Each key of this account may ask so often in a minute; from the third key on all of them together twice as often. */
const perMinute = 4
const noUpload = '/v1/uploads/u_00000000/complete'

/** Keys that are made with a key may do no more than that, are managed by their account alone, and end. */
export async function judgeKeysOf(parts: Plainly): Promise<void> {
  const { own, other, operator, account, accounts, world, deployment } = parts
  const issue = async (accountId: string, more = {}) =>
    operator.command({ command: 'keys.create', accountId, scopes: all, ...more })
  await judgeCommands(parts)
  const manager = own.with(String((await issue(account.accountId))['apiKey']))
  const stranger = other.with(String((await issue(accounts[0]?.accountId ?? ''))['apiKey']))
  const expiresAt = new Date(world.loop.wall + hourMs).toISOString()
  const made = await manager.expect(201, ['POST', path, { scopes: ['videos:read'], expiresAt }])
  const child = own.with(String(made['apiKey']))
  const one = `${path}/${String(made['keyId'])}`
  await child.expect(200, ['GET', '/v1/videos'])
  await child.expect(403, ['POST', '/v1/videos', {}])
  await child.expect(403, ['GET', path])
  for (const asked of [['GET'], ['PATCH', { name: 'mine' }], ['DELETE']] as const) {
    await stranger.expect(404, [asked[0], one, asked[1]])
  }
  const theirs = await stranger.list(path)
  own.same(
    'a key in a strange list',
    theirs.map(({ keyId }) => keyId).includes(made['keyId']),
    false,
  )
  await manager.expect(200, ['PATCH', one, { name: 'a child' }])
  // A gate that is moved at that moment is asked once more.
  deployment.objects.KEY_GATE.meet('admit', async () => Promise.reject(new Error('moved')))
  const read = await manager.expect(200, ['GET', one])
  own.same(
    'a key',
    [read['name'], read['expiresAt'], read['revokedAt']],
    ['a child', expiresAt, null],
  )
  if (read['lastUsedAt'] === null) world.break(`${one} was used, and does not tell it`)
  const listed = await manager.list(path, 1)
  own.same(
    'how often a key is listed',
    listed.filter(({ keyId }) => keyId === made['keyId']).length,
    1,
  )
  const short = own.with(String((await issue(account.accountId, { expiresAt }))['apiKey']))
  const longer = new Date(world.loop.wall + 2 * hourMs).toISOString()
  await short.expect(400, ['POST', path, { scopes: ['videos:read'], expiresAt: longer }])
  await short.expect(400, [
    'POST',
    path,
    { scopes: ['videos:read'], expiresAt: new Date(world.loop.wall - 1).toISOString() },
  ])
  const scopes = ['videos:read', 'keys:manage']
  const lesser = own.with(String((await issue(account.accountId, { scopes }))['apiKey']))
  await lesser.expect(400, ['POST', path, { scopes: ['videos:read', 'videos:write'] }])
  await lesser.expect(403, ['POST', '/v1/videos', {}])
  const heir = await short.expect(201, ['POST', path, { scopes: ['videos:read'] }])
  own.same('the end of a key of a key', heir['expiresAt'], expiresAt)
  await own.pause(hourMs + 1_000)
  await child.expect(401, ['GET', '/v1/videos'])
  await short.expect(401, ['GET', '/v1/videos'])
  await manager.expect(200, ['GET', '/v1/videos'])
  await judgeNumber(parts, manager)
  for (const judge of [judgeTogether, judgeLargeWindow, judgeLanes]) await judge(parts)
}

/** A command is obeyed once, and only if the operator has just signed it. */
async function judgeCommands({ own, operator, account }: Plainly): Promise<void> {
  const { accountId } = account
  await operator.command({ command: 'accounts.change', accountId, name: account.name })
  own.same('the answer to a command that was overheard', await operator.repeat(), 409)
  const forged = await operator.forge({ command: 'accounts.list' })
  own.same('the answers to commands that are forged', forged, [401, 401, 401])
}

/** An account has a number of keys at most. Those that are revoked or have ended do not count. */
async function judgeNumber({ own, world }: Plainly, manager: PlainSession): Promise<void> {
  const now = world.loop.wall
  const keys = (await manager.list(path)) as { revokedAt: unknown; expiresAt: string | null }[]
  const count = keys.filter(
    ({ revokedAt, expiresAt }) =>
      revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > now),
  ).length
  const wish = { scopes: ['videos:read'] }
  const made: unknown[] = []
  for (let left = mostKeys - count; left > 0; left--)
    made.push((await manager.expect(201, ['POST', path, wish]))['keyId'])
  await manager.expect(409, ['POST', path, wish])
  for (const id of made) await manager.expect(204, ['DELETE', `${path}/${String(id)}`])
  own.same('whether keys were made', made.length > 0, true)
}

/** Where reads have windows of their own, neither they nor uploads use up those of other requests. How much is left is told. */
async function judgeLanes({ own, exchange, operator, account, world, deployment }: Plainly) {
  const made = await operator.command({ command: 'accounts.create', name: 'Fay' })
  const { accountId } = made
  const issued = await operator.command({ command: 'keys.create', accountId, scopes: all })
  const key = String(issued['apiKey'])
  const one = new PlainSession({ world, exchange }, { ...account, name: 'Fay', key })
  deployment.reconfigure({ READ_RATE_LIMITS: `${perMinute}/60` })
  await own.pause(rolledOutMs)
  await one.expect(400, ['POST', '/v1/videos', {}])
  await one.expect(404, ['POST', noUpload, {}])
  await one.expect(404, ['POST', noUpload, {}])
  // Twenty videos of a batch count as one request, also if none of them is made.
  for (const count of [40, 41]) {
    const items = Array.from({ length: count }, () => ({ sourceVideoId: 'v_00000000' }))
    const refused = await one.ask(['POST', '/v1/batches', { items }])
    own.same('whether a batch of nothing is made', (refused?.status ?? 0) < 400, false)
  }
  for (let i = 1; i < perMinute; i++) await one.expect(200, ['GET', '/v1/videos'])
  const { now } = await one.expect(200, ['GET', '/v1/usage'])
  const told = (now as { requests: Window[] }).requests.filter((lane) => lane.windowSeconds === 60)
  own.same(
    'what was used of the windows of a key',
    told.map(({ lane, limit, remaining }) => [lane, limit - remaining]),
    [
      ['requests', 1 + 2 + 3],
      ['reads', perMinute],
      ['uploads', 2],
    ],
  )
  await one.expect(429, ['GET', '/v1/videos'])
  await one.expect(400, ['POST', '/v1/videos', {}])
  deployment.reconfigure({ READ_RATE_LIMITS: '' })
  await own.pause(rolledOutMs)
}

type Window = { lane: string; windowSeconds: number; limit: number; remaining: number }

/** What a rollout ends on its way has come by then. */
const rolledOutMs = 5_000

/** An account with many keys may not ask as often with each as with one. */
async function judgeTogether(parts: Plainly): Promise<void> {
  const { own, exchange, operator, account, world, deployment } = parts
  const rateLimits = `${perMinute}/60`
  const made = await operator.command({ command: 'accounts.create', name: 'Eve', rateLimits })
  const { accountId } = made
  const keys: PlainSession[] = []
  for (let i = 0; i < 3; i++) {
    const issued = await operator.command({ command: 'keys.create', accountId, scopes: all })
    const key = String(issued['apiKey'])
    keys.push(new PlainSession({ world, exchange }, { ...account, name: 'Eve', key }))
  }
  const [first, second, third] = keys
  if (!first || !second || !third) throw new Error('Eve has no keys')
  // What continues an upload is counted apart.
  for (let i = 0; i <= perMinute; i++) await first.expect(404, ['POST', noUpload, {}])
  for (const one of [first, second]) {
    for (let i = 0; i < perMinute; i++) await one.expect(200, ['GET', '/v1/videos'])
    await one.expect(429, ['GET', '/v1/videos'])
  }
  await third.expect(429, ['GET', '/v1/videos'])
  await own.expect(200, ['GET', '/v1/videos'])
  await own.pause(61_000)
  for (let i = 0; i < perMinute; i++) await second.expect(200, ['GET', '/v1/videos'])
  // What a gate has counted it knows also after it was moved.
  for (const gate of deployment.objects.KEY_GATE.cells.values()) gate.die()
  await second.expect(429, ['GET', '/v1/videos'])
  await own.pause(61_000)
  await third.expect(200, ['GET', '/v1/videos'])
  await operator.command({ command: 'accounts.change', accountId, rateLimits: '1/60' })
  await third.expect(429, ['GET', '/v1/videos'])
  await first.expect(200, ['GET', '/v1/videos'])
  for (const gate of deployment.objects.KEY_GATE.cells.values()) gate.die()
  await first.expect(429, ['GET', '/v1/videos'])
  await operator.command({ command: 'accounts.change', accountId, rateLimits: null })
  await first.expect(200, ['GET', '/v1/videos'])
}

/** A window of thousands is not written at each request, and a gate that is moved has counted none too few all the same. */
async function judgeLargeWindow(parts: Plainly): Promise<void> {
  const { own, exchange, operator, account, world, deployment } = parts
  const wish = { command: 'accounts.create', name: 'Gil', rateLimits: '4000/600' } as const
  const { accountId } = await operator.command(wish)
  const issued = await operator.command({ command: 'keys.create', accountId, scopes: all })
  const key = String(issued['apiKey'])
  const one = new PlainSession({ world, exchange }, { ...account, name: 'Gil', key })
  for (let i = 0; i < perMinute; i++) await one.expect(200, ['GET', '/v1/videos'])
  for (const gate of deployment.objects.KEY_GATE.cells.values()) gate.die()
  const { now } = await one.expect(200, ['GET', '/v1/usage'])
  const [told] = (now as { requests: Window[] }).requests
  const counted = (told?.limit ?? 0) - (told?.remaining ?? 0)
  own.same('whether a gate that was moved has counted all', counted > perMinute, true)
}
