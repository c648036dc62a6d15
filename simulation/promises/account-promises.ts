import type { Account } from '../actors/account.ts'
import type { Answer, Exchange } from '../actors/exchange.ts'
import type { Judged } from './judged.ts'

type Asking = Pick<Judged, 'world' | 'database' | 'bucket' | 'orders'> & {
  exchange: Exchange
  accounts: readonly Account[]
}
type Page = { data: { videoId: string; createdAt: string }[]; nextCursor: string | null }

const pageSize = 7

/** Each account finds all of its videos in its list, wherever they are kept by now, and none of another account. */
export async function judgeAccounts(asking: Asking): Promise<void> {
  const { accounts } = asking
  await Promise.all(
    accounts.map(async (account, i) => {
      await judgeLists(asking, account)
      const other = accounts[(i + 1) % accounts.length]
      if (other) await judgeStranger(asking, account, other)
    }),
  )
}

/** What has left the database for the archive has a list of its own. */
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

async function judgeStranger(asking: Asking, owner: Account, stranger: Account): Promise<void> {
  const own = asking.orders.filter(({ account }) => account === owner)
  for (const videoId of [own[0]?.videoId, own.at(-1)?.videoId]) {
    if (videoId === undefined) continue
    for (const [method, path] of [
      ['GET', `/v1/videos/${videoId}`],
      ['DELETE', `/v1/videos/${videoId}`],
    ] as const) {
      const answer = await askPatiently(asking, stranger, method, path)
      if (answer?.status === 404) continue
      asking.world.break(
        `${method} ${path} by ${stranger.name} was answered ${answer?.status ?? 0}`,
      )
    }
  }
}

/** An account that may ask only a few times a minute asks again. */
async function askPatiently(
  { exchange, world }: Asking,
  { name, key }: Account,
  method: string,
  path: string,
): Promise<Answer | undefined> {
  for (let tries = 1; ; tries++) {
    const answer = await exchange.ask({ who: `${name} at last`, method, path, key })
    if (answer?.status !== 429 || tries === 30) return answer
    await world.loop.pause(20_000)
  }
}
