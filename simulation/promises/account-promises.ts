import type { Account } from '../actors/account.ts'
import type { Answer, Exchange } from '../actors/exchange.ts'
import type { Judged } from './judged.ts'
import { judgeJobRecords } from './record-promises.ts'

type Asking = Pick<Judged, 'world' | 'database' | 'bucket' | 'orders' | 'promises'> & {
  exchange: Exchange
  accounts: readonly Account[]
}
type Request = readonly [method: string, path: string, body?: unknown]
type Listed = { videoId: string; createdAt: string } & Record<string, unknown>
type Page = { data: Listed[]; nextCursor: string | null }

const pageSize = 7

/** Each account finds all of its videos in its list, wherever they are kept by now, and none of another account. */
export async function judgeAccounts(asking: Asking): Promise<void> {
  await Promise.all(asking.accounts.map(async (account) => judgeLists(asking, account)))
  await judgeStrangers(asking)
  await judgeJobRecords(asking, async (account, path) => askPatiently(asking, account, 'GET', path))
}

/** Anything that belongs to an account does not exist for another one. */
export async function judgeStrangers(asking: Asking): Promise<void> {
  const { accounts } = asking
  await Promise.all(
    accounts.map(async (account, i) => {
      const other = accounts[(i + 1) % accounts.length]
      if (other) await judgeStranger(asking, account, other)
    }),
  )
}

/** Videos that have moved from the database to the archive have a list of their own. */
async function judgeLists(asking: Asking, account: Account): Promise<void> {
  const { database, bucket } = asking
  const { accountId } = account
  const rows = database.read('SELECT id FROM videos WHERE account_id = ?', accountId)
  const kept = rows.map(({ id }) => String(id))
  await judgeList(asking, account, { query: '', expected: new Set(kept) })
  const folder = `archive/${accountId}/videos/`
  const archived = [...bucket.objects.keys()].filter((key) => key.startsWith(folder))
  const ids = archived.map((key) => key.slice(folder.length).replace('.json', ''))
  await judgeList(asking, account, { query: '&archived=true', expected: new Set(ids) })
  const [oldest] = ids.filter((id) => !kept.includes(id))
  if (oldest === undefined) return
  // A record in the archive stays as it is.
  const path = `/v1/videos/${oldest}`
  for (const change of [{ videoName: 'later' }, { speakerNames: {} }]) {
    const answer = await askPatiently(asking, account, 'PATCH', path, change)
    if (answer?.status !== 409)
      asking.world.break(`PATCH ${path} of the archive was answered ${answer?.status ?? 0}`)
  }
}

async function judgeList(
  asking: Asking,
  account: Account,
  { query, expected }: { query: string; expected: ReadonlySet<string> },
): Promise<void> {
  const { world } = asking
  const listed: Page['data'] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const more = cursor === '' ? '' : `&cursor=${cursor}`
    const path = `/v1/videos?limit=${pageSize}${query}${more}`
    const answer = await askPatiently(asking, account, 'GET', path)
    if (answer?.status !== 200) {
      world.break(`${account.name}: ${path} was answered ${answer?.status ?? 'nothing'}`)
      return
    }
    const page = JSON.parse(answer.text) as Page
    listed.push(...page.data)
    cursor = page.nextCursor
  }
  for (const video of listed) judgeFound(asking, video)
  const ids = listed.map(({ videoId }) => videoId)
  const missing = [...expected].filter((id) => !ids.includes(id))
  const strange = ids.filter((id, i) => !expected.has(id) || ids.indexOf(id) !== i)
  if (missing.length + strange.length > 0) {
    world.break(
      `the list of ${account.name} lacks ${missing.join() || 'nothing'}, and ${strange.join() || 'nothing'} should not be there`,
    )
  }
  const times = listed.map(({ createdAt }) => createdAt)
  if (times.some((at, i) => i > 0 && at > (times[i - 1] ?? ''))) {
    world.break(`the list of ${account.name} is not in order`)
  }
}

const found = ['videoMetadata', 'suggestions', 'moments', 'covered', 'reframed', 'removed'] as const

/** A record tells what its row says of the result. */
function judgeFound({ database, world }: Asking, video: Listed): void {
  const sql = 'SELECT result FROM videos WHERE id = ? AND result IS NOT NULL'
  const [row] = database.read<{ result: string }>(sql, video.videoId)
  const result = JSON.parse(row?.result ?? '{}') as Record<string, unknown>
  for (const name of row ? found : []) {
    const [told, kept] = [video[name], result[name]].map((value) => JSON.stringify(value))
    if (told !== kept)
      world.break(`the record of ${video.videoId} tells as its ${name} ${told}, and not ${kept}`)
  }
}

async function judgeStranger(asking: Asking, owner: Account, stranger: Account): Promise<void> {
  const before = keptOf(asking, owner)
  for (const [method, path, body] of requestsFor(asking, owner)) {
    const answer = await askPatiently(asking, stranger, method, path, body)
    if (answer?.status === 404) continue
    // A batch tells what is wrong with each of its items.
    if (answer?.status === 400 && answer.text.includes('There is no')) continue
    if (answer?.status === 400 && answer.text.includes('not found')) continue
    asking.world.break(`${method} ${path} by ${stranger.name} was answered ${answer?.status ?? 0}`)
  }
  for (const path of listsOf(asking, owner)) {
    const answer = await askPatiently(asking, stranger, 'GET', path)
    if (answer?.status === 200 && (JSON.parse(answer.text) as Page).data.length === 0) continue
    asking.world.break(`${path} has something for ${stranger.name}: ${answer?.text ?? 'nothing'}`)
  }
  const after = keptOf(asking, owner)
  for (const [what, text] of Object.entries(before)) {
    if (after[what] === text) continue
    asking.world.break(
      `${stranger.name} has changed ${what} of ${owner.name}: ${String(after[what])}`,
    )
  }
}

/** The fields that only the account itself changes, read while no change is under way. */
function keptOf({ database }: Asking, { accountId }: Account): Record<string, string> {
  const textOf = (sql: string): string => JSON.stringify(database.read(sql, accountId))
  return {
    'the names': textOf('SELECT id, name, request FROM videos WHERE account_id = ? ORDER BY id'),
    'the endpoints': textOf('SELECT * FROM webhook_endpoints WHERE account_id = ? ORDER BY id'),
    'the presets': textOf('SELECT * FROM presets WHERE account_id = ? ORDER BY name'),
    'the buckets': textOf('SELECT * FROM storages WHERE account_id = ? ORDER BY name'),
    'the open uploads': textOf(
      "SELECT id FROM uploads WHERE account_id = ? AND status IN ('open', 'ready') ORDER BY id",
    ),
  }
}

/** Lists of what belongs to a video or a batch. */
function listsOf({ database }: Asking, { accountId }: Account): string[] {
  const idsOf = (sql: string): string[] =>
    database
      .read<{ id: string }>(sql, accountId)
      .slice(0, 1)
      .map(({ id }) => id)
  return [
    ...idsOf(ofVideos).flatMap((id) =>
      ['/v1/jobs', '/v1/webhooks/deliveries'].map((path) => `${path}?videoId=${id}`),
    ),
    ...idsOf('SELECT id FROM batches WHERE account_id = ?').map((id) => `/v1/videos?batchId=${id}`),
  ]
}

/** A request for one row of each kind in the database or the archive. */
function requestsFor({ database, orders }: Asking, owner: Account): Request[] {
  const own = orders.filter(({ account }) => account === owner)
  const idOf = (sql: string): string | undefined =>
    database.read<{ id: string }>(sql, owner.accountId)[0]?.id
  const row = idOf(ofVideos)
  const oldest = own.find(({ wasDeleted }) => !wasDeleted)?.videoId
  const jobId = idOf('SELECT id FROM jobs WHERE account_id = ?')
  const uploadId = idOf('SELECT id FROM uploads WHERE account_id = ?')
  const batchId = idOf('SELECT id FROM batches WHERE account_id = ?')
  const endpointId = idOf('SELECT id FROM webhook_endpoints WHERE account_id = ?')
  const deliveryId = idOf('SELECT id FROM webhook_deliveries WHERE account_id = ?')
  const of = (id: string | undefined, ...requests: Request[]): Request[] =>
    id === undefined ? [] : requests
  return [
    ...of(oldest, ['GET', `/v1/videos/${oldest}`], ['DELETE', `/v1/videos/${oldest}`]),
    ...of(row, ['GET', `/v1/videos/${row}`], ['DELETE', `/v1/videos/${row}`]),
    ...of(row, ['POST', `/v1/videos/${row}/cancel`, {}]),
    ...of(row, [
      'PATCH',
      `/v1/videos/${row}`,
      { videoName: 'taken', metadata: { by: 'a stranger' } },
    ]),
    ...of(row, ['GET', `/v1/videos/${row}/transcript`], ['GET', `/v1/videos/${row}/events`]),
    ...of(row, ['POST', '/v1/videos', { sourceVideoId: row }]),
    ...of(row, ['POST', '/v1/batches', { items: [{ sourceVideoId: row }] }]),
    ...of(jobId, ['GET', `/v1/jobs/${jobId}`]),
    ...of(uploadId, ['GET', `/v1/uploads/${uploadId}`], ['DELETE', `/v1/uploads/${uploadId}`]),
    ...of(uploadId, ['POST', `/v1/uploads/${uploadId}/complete`, {}]),
    ...of(uploadId, ['POST', '/v1/videos', { uploadId }]),
    ...of(uploadId, ['POST', '/v1/batches', { items: [{ uploadId }] }]),
    ...of(uploadId, ['POST', '/v1/videos', { files: filesWith(uploadId), combine: true }]),
    ...of(batchId, ['GET', `/v1/batches/${batchId}`]),
    ...of(batchId, ['POST', `/v1/batches/${batchId}/cancel`, {}]),
    ...of(endpointId, ['GET', `/v1/webhooks/endpoints/${endpointId}`]),
    ...of(endpointId, ['PATCH', `/v1/webhooks/endpoints/${endpointId}`, { enabled: false }]),
    ...of(endpointId, ['DELETE', `/v1/webhooks/endpoints/${endpointId}`]),
    ['GET', `/v1/storages/${owner.storage}`],
    ['DELETE', `/v1/storages/${owner.storage}`],
    ...of(deliveryId, ['POST', `/v1/webhooks/deliveries/${deliveryId}/redeliver`, {}]),
  ]
}

function filesWith(uploadId: string | undefined): { url: string }[] {
  return [{ url: `upload://${uploadId}` }, { url: 'https://sources.example.com/second.mp4' }]
}

const ofVideos = 'SELECT id FROM videos WHERE account_id = ? ORDER BY created_at DESC'

/** Repeats a request until it is within the limits of an account that may ask only a few times a minute. */
async function askPatiently(
  { exchange, world }: Asking,
  { name, key }: Account,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer | undefined> {
  for (let tries = 1; ; tries++) {
    const answer = await exchange.ask({ who: `${name} at last`, method, path, key, body })
    if (answer?.status !== 429 || tries === 30) return answer
    await world.loop.pause(20_000)
  }
}
