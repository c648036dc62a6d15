import type { Account } from '../actors/account.ts'
import type { Exchange } from '../actors/exchange.ts'
import type { Operator } from '../actors/operator.ts'
import { PlainSession } from '../actors/plain-session.ts'
import type { World } from '../engine/world.ts'
import type { Database } from '../platform/database.ts'

type Asking = {
  world: World
  database: Database
  exchange: Exchange
  operator: Operator
  accounts: readonly Account[]
}
type Parts = Asking & { own: PlainSession; other: PlainSession; account: Account }

const fileUrl = 'https://sources.example.com/plain.mp4'
/** Longer than an isolate remembers who has a budget. */
const budgetKnownMs = 31_000
/** Longer than a receiver may take to answer. */
const onTheirWayMs = 60_000
/** Longer than a video takes, and than its webhooks take. */
const madeWithinMs = 40 * 60_000

/** While nothing fails, everything that an account can ask for is answered as this says. */
export async function judgeAnswers(asking: Asking): Promise<void> {
  const [stranger, , account] = asking.accounts
  if (!account || !stranger) throw new Error('nobody has an account')
  const own = new PlainSession(asking, account)
  const other = new PlainSession(asking, stranger)
  const parts: Parts = { ...asking, own, other, account }
  await judgePresets(parts)
  await judgeEndpoints(parts)
  await judgeBudgets(parts)
  await judgeLists(parts)
}

async function judgePresets({ own, other }: Parts): Promise<void> {
  const path = '/v1/presets/plain'
  const fields = { videoName: '{{title}} of a preset', enableThumbnail: true }
  await own.expect(404, ['GET', path])
  const saved = await own.expect(201, ['PUT', path, { description: 'one', fields }])
  const read = await own.expect(200, ['GET', path])
  own.same('a preset that was saved', read, saved)
  own.same('what a preset has', [read['fields'], read['description']], [fields, 'one'])
  await other.expect(404, ['GET', path])
  await other.expect(404, ['DELETE', path])
  const wish = { preset: 'plain', values: { title: 'A film' }, fileUrl }
  await other.expect(400, ['POST', '/v1/videos', wish])
  await own.expect(400, ['POST', '/v1/videos', { preset: 'plain', fileUrl }])
  const made = await own.expect(202, ['POST', '/v1/videos', wish, 'plain'])
  const video = await own.expect(200, ['GET', `/v1/videos/${String(made['videoId'])}`])
  own.same('the name of a video', video['videoName'], 'A film of a preset')
  const further = { ...wish, values: { title: 'Another film' } }
  await own.expect(409, ['POST', '/v1/videos', further, 'plain'])
  const replaced = await own.expect(200, ['PUT', path, { fields: { videoName: 'all alike' } }])
  own.same('a preset that was replaced', replaced['createdAt'], saved['createdAt'])
  own.same('its description', replaced['description'], null)
  const mine = (await other.expect(200, ['GET', '/v1/presets']))['data'] as { name: string }[]
  own.same(
    'the preset in the list of another account',
    mine.map(({ name }) => name).includes('plain'),
    false,
  )
  // A key answers for what was sent, also when the preset is gone.
  own.same(
    'an answer once more',
    await own.expect(202, ['POST', '/v1/videos', wish, 'plain']),
    made,
  )
  await own.expect(409, ['POST', '/v1/videos', { fileUrl }, 'plain'])
  await own.expect(204, ['DELETE', path])
  await own.expect(404, ['DELETE', path])
  await own.expect(400, ['POST', '/v1/videos', wish])
  own.same('an answer later', await own.expect(202, ['POST', '/v1/videos', wish, 'plain']), made)
}

/** An endpoint hears what it wants to hear while it is enabled, and nothing else. */
async function judgeEndpoints({ own, other, account, database }: Parts): Promise<void> {
  const url = `https://hooks-of-${account.storage}.example.com/plain`
  const path = '/v1/webhooks/endpoints'
  const wish = { url, eventTypes: ['video.canceled'] }
  const made = await own.expect(201, ['POST', path, wish])
  await own.expect(409, ['POST', path, wish])
  const one = `${path}/${String(made['endpointId'])}`
  await other.expect(404, ['GET', one])
  await other.expect(404, ['PATCH', one, { enabled: false }])
  await other.expect(404, ['DELETE', one])
  own.same('an endpoint', await own.expect(200, ['GET', one]), made)
  const canceled = await sendAndCancel(own)
  const succeeded = String((await own.expect(202, ['POST', '/v1/videos', { fileUrl }]))['videoId'])
  await own.expect(200, ['PATCH', one, { enabled: false }])
  // The answer to an attempt that is on its way begins nothing again.
  await own.pause(onTheirWayMs)
  const waiting = 'SELECT id FROM webhook_deliveries WHERE endpoint_id = ? AND finished_at IS NULL'
  own.same('what waits for it', database.read(waiting, String(made['endpointId'])), [])
  const unheard = await sendAndCancel(own)
  await own.expect(200, ['PATCH', one, { enabled: true }])
  await own.pause(madeWithinMs)
  const heard = async (videoId: string): Promise<unknown[]> => {
    const all = await own.list(`/v1/webhooks/deliveries?videoId=${videoId}`)
    return all.filter((delivery) => delivery['url'] === url).map(({ type }) => type)
  }
  own.same('what an endpoint has heard', await heard(canceled), ['video.canceled'])
  own.same('what a disabled endpoint has heard', await heard(unheard), [])
  own.same('what an endpoint did not want to hear', await heard(succeeded), [])
  await own.expect(204, ['DELETE', one])
  await own.expect(404, ['DELETE', one])
  await own.expect(404, ['GET', one])
}

async function sendAndCancel(own: PlainSession): Promise<string> {
  const made = await own.expect(202, ['POST', '/v1/videos', { fileUrl }])
  const videoId = String(made['videoId'])
  await own.expect(200, ['POST', `/v1/videos/${videoId}/cancel`, {}])
  return videoId
}

/** An account that has used its budget gets no new videos until it is raised; what it has used is what its days say. */
async function judgeBudgets({ own, other, account, operator, world }: Parts): Promise<void> {
  const { accountId } = account
  const change = async (budget: number | null): Promise<void> => {
    await operator.command({ command: 'accounts.change', accountId, budget })
    await own.pause(budgetKnownMs)
  }
  await change(0)
  await own.expect(402, ['POST', '/v1/videos', { fileUrl }])
  await own.expect(402, ['POST', '/v1/batches', { items: [{ fileUrl }] }])
  await sendAndCancel(other)
  const month = new Date(world.loop.wall).toISOString().slice(0, 7)
  const { total, now } = await own.expect(200, ['GET', `/v1/usage?from=${month}-01`])
  const { price } = total as { price: number }
  const { used } = (now as { budget: { used: number } }).budget
  own.same('what was used of a budget', used.toFixed(6), price.toFixed(6))
  await change(used * 0.999)
  await own.expect(402, ['POST', '/v1/videos', { fileUrl }])
  await change(used * 1.001 + 0.001)
  await sendAndCancel(own)
  await change(null)
}

/** Lists have what the rows say, in their order. */
async function judgeLists({ own, account, database }: Parts): Promise<void> {
  const { accountId } = account
  const idsOf = (sql: string, ...more: string[]): string[] =>
    database.read(sql, accountId, ...more).map(({ id }) => String(id))
  const newest = 'ORDER BY created_at DESC, id DESC'
  for (const status of ['queued', 'running', 'succeeded', 'failed', 'canceled']) {
    const rows = idsOf(
      `SELECT id FROM videos WHERE account_id = ? AND status = ? ${newest}`,
      status,
    )
    const listed = await own.list(`/v1/videos?status=${status}`)
    own.same(
      `the list of ${status} videos`,
      listed.map(({ videoId }) => videoId),
      rows,
    )
  }
  const [batchId] = idsOf(`SELECT id FROM batches WHERE account_id = ? ${newest}`)
  if (batchId !== undefined) {
    const rows = idsOf(
      `SELECT id FROM videos WHERE account_id = ? AND batch_id = ? ${newest}`,
      batchId,
    )
    const listed = await own.list(`/v1/videos?batchId=${batchId}`)
    own.same(
      'the videos of a batch',
      listed.map(({ videoId }) => videoId),
      rows,
    )
  }
  const batches = await own.list('/v1/batches')
  own.same(
    'the list of batches',
    batches.map((batch) => batch['batchId']),
    idsOf(`SELECT id FROM batches WHERE account_id = ? ${newest}`),
  )
  const deliveries = await own.list('/v1/webhooks/deliveries')
  own.same(
    'the list of deliveries',
    deliveries.map(({ deliveryId }) => deliveryId),
    idsOf(`SELECT id FROM webhook_deliveries WHERE account_id = ? ${newest}`),
  )
}
