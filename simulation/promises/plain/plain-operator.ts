import type { Plainly } from './plain-parts.ts'

type Row = Record<string, unknown>

/** Longer than a webhook waits, and than a replayed video waits to be reported. */
const sentWithinMs = 60_000
const most = 100
const fileUrl = 'https://sources.example.com/plain.mp4'
/** By then a media worker has the job, and has not ended it. */
const pushedAfterMs = 700
/** Longer than making a video takes. */
const madeWithinMs = 40 * 60_000

/** The operator's figures agree with the rows of every account, and the operator may have failed videos made again. */
export async function judgeOperator(parts: Plainly): Promise<void> {
  await judgeOperatorLists(parts)
  await judgeReplays(parts)
  await judgePush(parts)
  await judgeWebhookReplay(parts)
}

async function judgeOperatorLists(parts: Plainly): Promise<void> {
  const { own, operator, database, account } = parts
  const { accountId } = account
  const list = async (command: string, more: Row = {}): Promise<Row[]> => {
    const answer = await operator.command({ command, ...more })
    return Object.values(answer)[0] as Row[]
  }
  let accounts: Row[] = []
  await judgeList(
    parts,
    'the accounts',
    async () => {
      accounts = await list('accounts.list')
      return accounts.map((one) => one['accountId'])
    },
    'SELECT id FROM accounts',
  )
  const [row = {}] = database.read(
    'SELECT weight, max_running FROM accounts WHERE id = ?',
    accountId,
  )
  const mine = accounts.find((one) => one['accountId'] === accountId)
  own.same(
    'the plan of an account',
    [mine?.['weight'], mine?.['maxRunning']],
    [row['weight'], row['max_running']],
  )
  await judgeList(
    parts,
    'the keys of an account',
    async () => (await list('keys.list', { accountId })).map(({ keyId }) => keyId),
    'SELECT id FROM api_keys WHERE account_id = ?',
    accountId,
  )
  for (const status of ['queued', 'running', 'failed', 'canceled']) {
    await judgeList(
      parts,
      `the jobs that are ${status}`,
      async () => (await list('jobs.list', { status, limit: most })).map(({ jobId }) => jobId),
      'SELECT j.id FROM jobs AS j JOIN videos AS v ON v.id = j.video_id WHERE v.status = ?',
      status,
    )
  }
  await judgeLatest(parts, list)
  for (const status of ['pending', 'succeeded', 'exhausted', 'stopped']) {
    const asked = { accountId, status, limit: most }
    await judgeList(
      parts,
      `the deliveries that are ${status}`,
      async () => (await list('webhooks.list', asked)).map(({ deliveryId }) => deliveryId),
      'SELECT id FROM webhook_deliveries WHERE account_id = ? AND status = ?',
      ...[accountId, status],
    )
  }
  const secret = await operator.command({ command: 'webhooks.show-secret', accountId })
  const theirs = await own.expect(200, ['GET', '/v1/webhooks/secret'])
  own.same('a secret that the operator reads', secret['secret'], theirs['secret'])
}

/** The latest jobs come first, and those of one video alone. */
async function judgeLatest(
  { own, database }: Plainly,
  list: (command: string, more: Row) => Promise<Row[]>,
): Promise<void> {
  const sql =
    'SELECT j.id, j.video_id FROM videos AS v JOIN jobs AS j ON j.video_id = v.id ORDER BY v.rowid DESC LIMIT 3'
  const latest = database.read<{ id: string; video_id: string }>(sql)
  const [first] = latest
  const told = (await list('jobs.list', { limit: latest.length })).map(({ jobId }) => jobId)
  // Others may order something meanwhile.
  if (database.read(sql)[0]?.['id'] === first?.id)
    own.same(
      'the latest jobs',
      told,
      latest.map(({ id }) => id),
    )
  const ofOne = await list('jobs.list', { videoId: first?.video_id, limit: most })
  own.same(
    'the jobs of a video',
    ofOne.map(({ jobId }) => jobId),
    [first?.id],
  )
}

/** Compares the operator's ids with those of the rows. Rows that come or go meanwhile may be listed or not. */
async function judgeList(
  { own, database }: Plainly,
  what: string,
  tell: () => Promise<readonly unknown[]>,
  ...[sql, ...values]: [sql: string, ...values: string[]]
): Promise<void> {
  const idsNow = (): unknown[] => database.read(sql, ...values).map(({ id }) => id)
  const before = idsNow()
  const told = await tell()
  const after = idsNow()
  if (after.length >= most) return
  const stays = (id: unknown): boolean => before.includes(id) === after.includes(id)
  own.same(what, told.filter(stays).toSorted(), after.filter(stays).toSorted())
}

/** A video that has not succeeded can be made again, for the same account; one that has succeeded cannot. */
async function judgeReplays({ own, operator, database, account }: Plainly): Promise<void> {
  const canceled = await own.sendAndCancel()
  const replayed = await operator.command({ command: 'jobs.replay', jobId: canceled })
  const videoId = String(replayed['videoId'])
  own.same(
    'a job that was made once more',
    [replayed['outcome'], videoId === canceled],
    ['created', false],
  )
  const read = async (id: string): Promise<Row> => own.expect(200, ['GET', `/v1/videos/${id}`])
  const [before, after] = [await read(canceled), await read(videoId)]
  own.same('what is made once more', after['fileUrl'], before['fileUrl'])
  own.same('the one that was canceled', before['status'], 'canceled')
  const shown = await operator.command({ command: 'jobs.show', jobId: videoId })
  own.same(
    'a job that the operator looks at',
    [shown['videoId'], shown['jobId']],
    [videoId, replayed['jobId']],
  )
  await own.ask(['POST', `/v1/videos/${videoId}/cancel`, {}])
  const [ofFile] = database.read(
    `SELECT id, source ->> 'uploadId' AS upload FROM videos WHERE account_id = ? AND status IN ('failed', 'canceled')
     AND source IS NOT NULL AND source_deleted_at IS NULL`,
    account.accountId,
  )
  if (ofFile) {
    const made = await operator.command({ command: 'jobs.replay', jobId: String(ofFile['id']) })
    const sql = "SELECT source ->> 'uploadId' AS upload FROM videos WHERE id = ?"
    const [again] = database.read(sql, String(made['videoId']))
    own.same('the file of what is made once more', again?.['upload'], ofFile['upload'])
    await own.ask(['POST', `/v1/videos/${String(made['videoId'])}/cancel`, {}])
  }
  const [good] = database.read(
    "SELECT id FROM videos WHERE account_id = ? AND status = 'succeeded'",
    account.accountId,
  )
  if (good)
    own.same('a job that has succeeded', await refusal({ operator }, String(good['id'])), 409)
}

/** A job that the operator pushes is still made once. */
async function judgePush({ own, operator, database }: Plainly): Promise<void> {
  const { videoId } = await own.expect(202, ['POST', '/v1/videos', { fileUrl, reuse: false }])
  const id = String(videoId)
  for (const pauseMs of [0, pushedAfterMs]) {
    await own.pause(pauseMs)
    const pushed = await operator.command({ command: 'jobs.replay', jobId: id })
    const isPushed = pushed['outcome'] === 'sent' || pushed['outcome'] === 'held'
    own.same('whether a job was pushed along', [isPushed, pushed['videoId']], [true, id])
  }
  await own.pause(madeWithinMs)
  const attempts = database.read(
    'SELECT 1 FROM job_attempts AS a JOIN jobs AS j ON j.id = a.job_id WHERE j.video_id = ?',
    id,
  )
  own.same('how often a job that was pushed along is made', attempts.length, 1)
}

async function refusal({ operator }: Pick<Plainly, 'operator'>, jobId: string): Promise<number> {
  try {
    await operator.command({ command: 'jobs.replay', jobId })
    return 200
  } catch (error) {
    return Number(/: (\d{3}) /.exec(String(error))?.[1])
  }
}

/** A webhook that the operator replays arrives again. */
async function judgeWebhookReplay(parts: Plainly): Promise<void> {
  const { own, operator, database, receivers, files, account } = parts
  const [delivery] = database.read(
    "SELECT id, event_id AS event, url FROM webhook_deliveries WHERE account_id = ? AND status = 'succeeded'",
    account.accountId,
  )
  if (!delivery) return
  const count = (): number =>
    receivers.received.filter(({ id, url }) => id === delivery['event'] && url === delivery['url'])
      .length
  const before = count()
  const deliveryId = String(delivery['id'])
  files.redelivering(deliveryId)
  await operator.command({ command: 'webhooks.replay', deliveryId })
  await own.pause(sentWithinMs)
  own.same('whether a webhook came once more', count() > before, true)
}

/** Requests within seconds get the same metrics. */
const sharedMs = 6_000

/** The metrics for Prometheus agree with the rows, the bucket and the dispatcher. */
export async function judgeMetrics(parts: Plainly): Promise<void> {
  const { own, database, usage, slotWatch, disk, workers } = parts
  await own.expect(401, ['GET', '/metrics'])
  await own.pause(sharedMs)
  const told = await readMetrics(parts)
  const count = (sql: string): number => Number(database.read(sql)[0]?.['n'])
  const videos = (status: string): number =>
    count(`SELECT count(*) AS n FROM videos WHERE status = '${status}'`)
  const deliveries = (status: string): number =>
    count(`SELECT count(*) AS n FROM webhook_deliveries WHERE status = '${status}'`)
  const totals = (column: string): number =>
    count(`SELECT coalesce(sum(${column}), 0) AS n FROM usage_totals`)
  const expected: Record<string, number> = {
    'spool_jobs{status="queued"}': videos('queued'),
    'spool_jobs{status="running"}': videos('running'),
    spool_jobs_dead_lettered_kept: count(
      'SELECT count(*) AS n FROM jobs WHERE dead_lettered_at IS NOT NULL',
    ),
    spool_jobs_dead_lettered: count(
      'SELECT count(*) AS n FROM jobs WHERE dead_lettered_at IS NOT NULL AND finished_at IS NULL',
    ),
    spool_storage_bytes: totals('kept_bytes'),
    'spool_video_seconds_total{direction="in"}': totals('seconds_in'),
    'spool_video_seconds_total{direction="out"}': totals('seconds_out'),
    spool_processor_seconds_total: totals('processor_seconds'),
    spool_copies_failed_total: totals('copies_failed'),
    'spool_check{check="database"}': 1,
    'spool_check{check="storage"}': 1,
    ...(disk && { spool_disk_free_bytes: disk.freeBytes }),
    'spool_videos_total{result="succeeded"}': usage.sum('succeeded'),
    'spool_videos_total{result="failed"}': usage.sum('failed'),
    'spool_videos_total{result="canceled"}': usage.sum('canceled'),
    'spool_webhook_deliveries{status="pending"}': deliveries('pending'),
    'spool_webhook_deliveries{status="exhausted"}': deliveries('exhausted'),
    spool_parts_lent: slotWatch.lent,
  }
  for (const [name, amount] of Object.entries(expected)) own.same(name, told.get(name), amount)
  const sumOf = (name: string): number =>
    [...told].reduce((sum, [key, n]) => sum + (key.startsWith(`${name}{`) ? n : 0), 0)
  if (workers.length === 0) return
  own.same('how many media workers there are', sumOf('spool_media_worker_up'), workers.length)
  own.same('how many slots they have', sumOf('spool_media_worker_slots'), parts.slots)
}

/** The samples by name and labels. */
export async function readMetrics({ own, metricsKey }: Plainly): Promise<Map<string, number>> {
  const answer = await own.with(metricsKey).ask(['GET', '/metrics'])
  own.same('the answer to a scrape', answer?.status, 200)
  const lines = (answer?.text ?? '').split('\n').filter((line) => !/^(#|$)/.test(line))
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ')
      return [line.slice(0, at), Number(line.slice(at + 1))]
    }),
  )
}
