import type { Plainly } from './plain-parts.ts'

/** Requests within seconds get the same metrics. */
const sharedMs = 6_000

/** The metrics for Prometheus agree with the rows, the bucket and the dispatcher. */
export async function judgeMetrics(parts: Plainly): Promise<void> {
  const { own, database, usage, slotWatch } = parts
  await own.expect(401, ['GET', '/metrics'])
  await own.pause(sharedMs)
  const told = await readMetrics(parts)
  const count = (sql: string): number => Number(database.read(sql)[0]?.['n'])
  const videos = (status: string): number =>
    count(`SELECT count(*) AS n FROM videos WHERE status = '${status}'`)
  const deliveries = (status: string): number =>
    count(`SELECT count(*) AS n FROM webhook_deliveries WHERE status = '${status}'`)
  const expected: Record<string, number> = {
    'spool_jobs{status="queued"}': videos('queued'),
    'spool_jobs{status="running"}': videos('running'),
    spool_jobs_dead_lettered_kept: count(
      'SELECT count(*) AS n FROM jobs WHERE dead_lettered_at IS NOT NULL',
    ),
    spool_storage_bytes: count('SELECT sum(kept_bytes) AS n FROM usage_totals'),
    'spool_videos_total{result="succeeded"}': usage.sum('succeeded'),
    'spool_videos_total{result="failed"}': usage.sum('failed'),
    'spool_videos_total{result="canceled"}': usage.sum('canceled'),
    'spool_webhook_deliveries{status="pending"}': deliveries('pending'),
    'spool_webhook_deliveries{status="exhausted"}': deliveries('exhausted'),
    spool_parts_lent: slotWatch.lent,
  }
  for (const [name, amount] of Object.entries(expected)) own.same(name, told.get(name), amount)
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
