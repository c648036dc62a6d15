/** A table whose rows move with their account. `t` is the table in `from`, and ?1 the account. */
export type MovedTable = {
  name: string
  key: readonly string[]
  from: string
  /** An index has the rows of the account in this order, or the account has few of them. */
  order: readonly string[]
  /** Whether the key needs the account beside it. */
  isKeyOwn?: false
  /** What must leave the other database with a row, because it refers to that row; ?1 is the key of the row. */
  children?: readonly string[]
}

const own = (table: string) => `${table} AS t WHERE t.account_id = ?1`
const videosOf = 'videos AS v JOIN jobs AS j ON j.video_id = v.id'
const byAge = ['t.created_at', 't.id']

/** Everything that an account makes; a row comes after those that it refers to. */
export const movedTables: readonly MovedTable[] = [
  {
    name: 'videos',
    key: ['id'],
    from: own('videos'),
    order: byAge,
    children: [
      'DELETE FROM job_attempts WHERE job_id IN (SELECT id FROM jobs WHERE video_id = ?1)',
      'DELETE FROM jobs WHERE video_id = ?1',
    ],
  },
  {
    name: 'jobs',
    key: ['id'],
    from: 'videos AS v JOIN jobs AS t ON t.video_id = v.id WHERE v.account_id = ?1',
    order: ['v.created_at', 'v.id'],
    children: ['DELETE FROM job_attempts WHERE job_id = ?1'],
  },
  {
    name: 'job_attempts',
    key: ['job_id', 'fence'],
    from: `${videosOf} JOIN job_attempts AS t ON t.job_id = j.id WHERE v.account_id = ?1`,
    order: ['v.created_at', 'v.id', 't.fence'],
  },
  {
    name: 'webhook_events',
    key: ['id'],
    from: own('webhook_events'),
    order: byAge,
    children: ['DELETE FROM webhook_deliveries WHERE event_id = ?1'],
  },
  { name: 'webhook_deliveries', key: ['id'], from: own('webhook_deliveries'), order: byAge },
  { name: 'uploads', key: ['id'], from: own('uploads'), order: ['t.id'] },
  {
    name: 'upload_parts',
    key: ['upload_id', 'part_number', 'etag'],
    from: 'uploads AS u JOIN upload_parts AS t ON t.upload_id = u.id WHERE u.account_id = ?1',
    order: ['t.upload_id', 't.part_number', 't.etag'],
  },
  { name: 'presets', key: ['name'], from: own('presets'), order: ['t.name'], isKeyOwn: false },
  { name: 'webhook_endpoints', key: ['id'], from: own('webhook_endpoints'), order: ['t.url'] },
  { name: 'usage_days', key: ['day'], from: own('usage_days'), order: ['t.day'], isKeyOwn: false },
  {
    name: 'usage_totals',
    key: ['account_id'],
    from: own('usage_totals'),
    order: ['t.account_id'],
  },
  {
    name: 'idempotency_keys',
    key: ['key_id', 'endpoint', 'idempotency_key'],
    from: own('idempotency_keys'),
    order: ['t.key_id', 't.endpoint', 't.idempotency_key'],
  },
]

/** The columns of a table's primary key. */
export function primaryKey({ key, isKeyOwn }: MovedTable): readonly string[] {
  return isKeyOwn === false ? ['account_id', ...key] : key
}
