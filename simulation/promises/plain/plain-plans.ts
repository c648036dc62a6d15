import { endlessFilm } from '../../actors/media/told-of-work.ts'
import type { PlainSession } from '../../actors/plain-session.ts'
import type { Database } from '../../platform/database.ts'
import type { Plainly } from './plain-parts.ts'
import { judgeForecasts } from './shown/plain-forecast.ts'

const fileUrl = 'https://sources.example.com/plan'
/** Places in line are remembered for two seconds. */
const knownMs = 3_000
/** As much as it takes to call a job and offer it, and less than the time after which the line looks again by itself. */
const promptMs = 8_000
const secondMs = 1_000
const patienceSeconds = 120
/** Longer than a long video takes. */
const idleSeconds = 7_200
/** Some jobs end in this time, and the next ones must not be called. */
const loweredMs = 90_000
const waits = 7
/** How long a job is on its way to the line. */
const heldMs = 5_000
/** Containers may have to stop before others start. The sweep, which reads the cap once more, mostly comes later. */
const restartedMs = 75_000

/** What the operator changes about an account counts at once: how many of its jobs run, and how often it has a turn. */
export async function judgePlans(parts: Plainly): Promise<void> {
  const { operator, account, line } = parts
  const { accountId } = account
  const change = async (plan: Record<string, unknown>): Promise<void> => {
    await operator.command({ command: 'accounts.change', accountId, ...plan })
    line.planChanged()
  }
  await judgeCaps(parts, change)
  await judgeNewest(parts, change)
  await judgeWeights(parts, change, 'while they wait')
  await until(
    parts.own,
    () => countOf(parts.database, accountId, 'queued', 'running') === 0,
    idleSeconds,
  )
  await judgeWeights(parts, change, 'before they come')
}

type When = 'while they wait' | 'before they come'
type Change = (plan: Record<string, unknown>) => Promise<void>

/** A cap that is lowered lets nothing begin above it, and one that is raised lets everything begin that has a slot. */
async function judgeCaps({ own, account, database, world, slots }: Plainly, change: Change) {
  const running = (): number => countOf(database, account.accountId, 'running')
  await change({ maxRunning: 1 })
  const sent = await send(own, slots + 2, 'cap')
  await until(own, () => running() === 1)
  own.same('how many run with a cap of one', running(), 1)
  await change({ maxRunning: null })
  const before = world.now
  await until(own, () => begunSince(database, account.accountId, sent) >= slots)
  if (world.now - before > promptMs)
    world.break(`${account.name}: a raised cap was noticed after ${world.now - before} ms`)
  await change({ maxRunning: 1 })
  await own.pause(loweredMs)
  await cancel(own, sent, 'running')
  const count = (): number => countOf(database, account.accountId, 'queued', 'running')
  await until(own, () => running() === 1 || count() === 0)
  own.same('how many run with a cap that was lowered', running(), Math.min(1, count()))
  await cancel(own, sent)
}

/**
 * A cap that is lifted while a job is on its way to the line stays lifted, although that job still knows the cap of before. The
 * others are still at work by then: if one ended, that job would begin below any cap.
 */
async function judgeNewest(parts: Plainly, change: Change) {
  const { own, account, database, deployment, world, slots } = parts
  const { accountId } = account
  const count = (...statuses: string[]): number => countOf(database, accountId, ...statuses)
  await until(own, () => count('queued', 'running') === 0, idleSeconds)
  await change({ maxRunning: 1 })
  const sent = await send(own, Math.min(slots, 3) - 1, endlessFilm)
  await until(own, () => count('running') > 0)
  deployment.objects.DISPATCHER.meet('enter', async () => world.loop.pause(heldMs))
  sent.push(...(await send(own, 1, 'newest-last')))
  await own.pause(secondMs)
  await change({ maxRunning: null })
  const before = world.now
  await until(own, () => begunSince(database, accountId, sent) >= sent.length)
  if (world.now - before > restartedMs)
    world.break(`${account.name}: a cap that was lifted came back for ${world.now - before} ms`)
  for (const id of sent) await own.ask(['POST', `/v1/videos/${id}/cancel`, {}])
}

/**
 * Both accounts may have one at work, so most of their jobs wait. A greater weight brings those of one forward, also those that
 * stand there already.
 */
async function judgeWeights(parts: Plainly, change: Change, when: When): Promise<void> {
  const { own, other, account, accounts, operator, line, world } = parts
  const weight = 20
  const changeOther = async (maxRunning: number | null): Promise<void> => {
    const accountId = accounts[0]?.accountId
    await operator.command({ command: 'accounts.change', accountId, maxRunning })
    line.planChanged()
  }
  await changeOther(1)
  await change({ maxRunning: 1, weight: when === 'before they come' ? weight : 1 })
  const mine: string[] = []
  const theirs: string[] = []
  for (let i = 0; i < waits; i++) {
    theirs.push(...(await send(other, 1, `theirs ${i}`)))
    mine.push(...(await send(own, 1, `mine ${i}`)))
  }
  // Each has come into the line by then, and tells nobody of the plan any more.
  await own.pause(knownMs)
  if (when === 'while they wait') await change({ weight })
  await own.pause(knownMs)
  const places = await Promise.all(theirs.map(async (id) => placeOf(other, id)))
  const last = await placeOf(own, mine.at(-1))
  await judgeForecasts(parts, 1)
  const before = places.filter((place) => place !== undefined && place < (last ?? 0)).length
  // One of theirs may have its turn just now, and one may stand at the same place in the order of turns.
  if (last !== undefined && before > 2)
    world.break(`${account.name} has a weight of ${weight}, and ${before} jobs of another go first`)
  await cancel(own, mine)
  await own.pause(knownMs)
  // One of them may have its turn before the answer comes.
  const waiting = [account, accounts[0]].map((one) =>
    countOf(parts.database, one?.accountId ?? '', 'queued'),
  )
  const place = (await placeOf(other, theirs.at(-1))) ?? 0
  if (place > waiting.reduce((sum, n) => sum + n, 0))
    world.break(
      `${account.name} has canceled its jobs, and another one still has the place ${place}`,
    )
  await cancel(other, theirs)
  await changeOther(null)
  await change({ maxRunning: null, weight: 2 })
}

async function send(by: PlainSession, count: number, name: string): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i++) {
    const body = { fileUrl: `${fileUrl}-${name.replace(' ', '-')}-${i}.mp4` }
    ids.push(String((await by.expect(202, ['POST', '/v1/videos', body]))['videoId']))
  }
  return ids
}

/** Some may have ended meanwhile. */
async function cancel(
  by: PlainSession,
  ids: readonly string[],
  which: 'queued' | 'running' = 'queued',
): Promise<void> {
  for (const id of ids) {
    const { status } = await by.expect(200, ['GET', `/v1/videos/${id}`])
    if (status === which) await by.ask(['POST', `/v1/videos/${id}/cancel`, {}])
  }
}

async function placeOf(by: PlainSession, id = ''): Promise<number | undefined> {
  const { queuePosition } = await by.expect(200, ['GET', `/v1/videos/${id}`])
  return typeof queuePosition === 'number' ? queuePosition : undefined
}

async function until(
  own: PlainSession,
  isSo: () => boolean,
  most = patienceSeconds,
): Promise<void> {
  for (let seconds = 0; seconds < most && !isSo(); seconds++) await own.pause(secondMs)
}

function countOf(database: Database, accountId: string, ...statuses: string[]): number {
  const sql = 'SELECT status FROM videos WHERE account_id = ?'
  return database.read(sql, accountId).filter(({ status }) => statuses.includes(String(status)))
    .length
}

/** How many of these have begun. */
function begunSince(database: Database, accountId: string, ids: readonly string[]): number {
  const sql = `SELECT video_id AS id FROM jobs WHERE account_id = ? AND started_at IS NOT NULL`
  return database.read(sql, accountId).filter(({ id }) => ids.includes(String(id))).length
}
