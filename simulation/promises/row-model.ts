import type { World } from '../engine/world.ts'
import type { Database } from '../platform/database.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** How late a statement may arrive, and by how much a step may have set the clocks since it was sent. */
const lateMs = 20 * minuteMs
/** Shorter than two changes of a row are apart that have nothing to do with each other. */
const stampedMs = 50

/** `never`: stays as it was inserted. `once`: null until it is set for good. `grows`: never falls. */
type Columns = {
  key: string
  never: readonly string[]
  once?: readonly string[]
  grows?: readonly string[]
}

/** How the columns of each table may change, no matter which statement changes them. */
const tables: Record<string, Columns> = {
  accounts: { key: 'id', never: ['created_at', 'operates'] },
  api_keys: {
    key: 'id',
    never: ['account_id', 'hash', 'hint', 'scopes', 'created_at', 'expires_at'],
    once: ['revoked_at'],
    grows: ['last_used_at'],
  },
  videos: {
    key: 'id',
    never: ['account_id', 'batch_id', 'created_at'],
    once: [
      ...['terminal_event_id', 'finished_at', 'ended_order', 'files_expire_at', 'files_deleted_at'],
      ...['source_expires_at', 'source_deleted_at', 'work', 'engine', 'files_of'],
    ],
  },
  jobs: {
    key: 'id',
    never: ['video_id', 'account_id', 'created_at'],
    once: ['started_at', 'finished_at', 'error'],
    grows: ['chain', 'fence'],
  },
  job_attempts: {
    key: 'job_id',
    never: ['attempt', 'started_at'],
    once: ['finished_at', 'outcome'],
  },
  batches: {
    key: 'id',
    never: ['account_id', 'preset', 'webhook_url', 'video_ids', 'created_at'],
    once: ['canceled_at', 'ended_at', 'counts', 'ended_event_id', 'expires_at'],
  },
  uploads: {
    key: 'id',
    never: ['account_id', 'file_name', 'part_bytes', 'multipart_id', 'created_at'],
    once: ['video_id', 'refusal'],
  },
  webhook_events: { key: 'id', never: ['account_id', 'video_id', 'type', 'created_at'] },
  webhook_deliveries: {
    key: 'id',
    never: ['event_id', 'account_id', 'endpoint_id', 'created_at'],
    grows: ['attempt_count', 'round_start'],
  },
  webhook_endpoints: { key: 'id', never: ['account_id', 'created_at'] },
  presets: { key: 'name', never: ['account_id', 'created_at'] },
  storages: { key: 'name', never: ['account_id', 'created_at'] },
  undelivered: { key: 'video_id', never: ['account_id', 'job_id', 'created_at'] },
  tombstones: { key: 'prefix', never: ['created_at'] },
}

/** What a customer has asked for stays, but for the notes that may be changed. */
const ownTriggers = `
  CREATE TEMP TRIGGER tell_request AFTER UPDATE OF request ON main.videos
    WHEN json_remove(OLD.request, '$.metadata') <> json_remove(NEW.request, '$.metadata')
  BEGIN SELECT tell('row changed', 'videos', NEW.id, 'request'); END;
  CREATE TEMP TRIGGER tell_source AFTER UPDATE OF source ON main.videos
    WHEN json_remove(OLD.source, '$.sha256') IS NOT json_remove(NEW.source, '$.sha256')
  BEGIN SELECT tell('row changed', 'videos', NEW.id, 'source'); END;
`

/** The rows that a new row refers to: all must belong to one account. */
const relations: Record<string, readonly string[]> = {
  jobs: ['SELECT account_id FROM videos WHERE id = NEW.video_id'],
  webhook_events: [
    'SELECT account_id FROM videos WHERE id = NEW.video_id',
    "SELECT account_id FROM jobs WHERE video_id = NEW.video_id AND NEW.type LIKE 'video.%'",
  ],
  webhook_deliveries: [
    'SELECT account_id FROM webhook_events WHERE id = NEW.event_id',
    'SELECT account_id FROM webhook_endpoints WHERE id = NEW.endpoint_id',
  ],
  undelivered: [
    'SELECT account_id FROM videos WHERE id = NEW.video_id',
    'SELECT account_id FROM jobs WHERE id = NEW.job_id',
  ],
  kept_words: ['SELECT account_id FROM videos WHERE id = NEW.video_id'],
  videos: [
    'SELECT account_id FROM batches WHERE id = NEW.batch_id',
    "SELECT account_id FROM uploads WHERE id = NEW.source ->> 'uploadId'",
  ],
}

type Due = { table: string; column: string; within: number; while?: string }

const unfinished = 'NEW.finished_at IS NULL'

/** The latest time at which a row with work left must be looked at again. */
const dues: readonly Due[] = [
  { table: 'jobs', column: 'sweep_after', within: 15 * minuteMs, while: unfinished },
  { table: 'undelivered', column: 'sweep_after', within: hourMs },
  { table: 'batches', column: 'sweep_after', within: minuteMs, while: 'NEW.ended_at IS NULL' },
  { table: 'webhook_deliveries', column: 'due_at', within: 11 * hourMs, while: unfinished },
  { table: 'webhook_deliveries', column: 'sweep_after', within: 12 * hourMs, while: unfinished },
  { table: 'uploads', column: 'expires_at', within: dayMs },
  { table: 'idempotency_keys', column: 'lease_until', within: 2 * minuteMs },
  { table: 'tombstones', column: 'list_after', within: 7 * dayMs },
]

/**
 * What readers are shown of a row that tells when it was last changed: what changes it changes that time as well. Two people may
 * name the speakers of a transcript at one moment.
 */
const shown: Record<string, readonly string[]> = {
  videos: ['status', 'phase', 'name', 'request', 'result', 'analysis'],
  webhook_endpoints: ['url', 'description', 'event_types', 'disabled_at'],
  presets: ['description', 'fields'],
  storages: ['endpoint', 'region', 'bucket', 'prefix', 'access_key_id'],
}

/** The time on the service's clock. */
const now = "unixepoch('subsec') * 1000"

function triggersOf([table, { key, never, once = [], grows = [] }]: [string, Columns]): string {
  const changed = [
    ...never.map((column) => [column, `NEW.${column} IS NOT OLD.${column}`]),
    ...once.map((column) => [
      column,
      `OLD.${column} IS NOT NULL AND NEW.${column} IS NOT OLD.${column}`,
    ]),
    ...grows.map((column) => [column, `NEW.${column} < OLD.${column}`]),
  ] as [column: string, isChanged: string][]
  const which = changed.map(([column, isChanged]) => `WHEN ${isChanged} THEN '${column}'`)
  const columns = changed.map(([column]) => column)
  return `CREATE TEMP TRIGGER tell_changed_${table} AFTER UPDATE OF ${columns.join()} ON main.${table}
    WHEN ${changed.map(([, isChanged]) => `(${isChanged})`).join(' OR ')}
    BEGIN SELECT tell('row changed', '${table}', NEW.${key}, CASE ${which.join(' ')} END); END;`
}

function relationOf([table, named]: [string, readonly string[]]): string {
  const others = named.map((sql) => `(${sql}) <> NEW.account_id`)
  return `CREATE TEMP TRIGGER tell_account_of_${table} AFTER INSERT ON main.${table} WHEN ${others.join(' OR ')}
    BEGIN SELECT tell('of two accounts', '${table}', NEW.account_id); END;`
}

function dueOf({ table, column, within, while: isOpen = '1' }: Due): string {
  const isLate = `${isOpen} AND NEW.${column} > ${now} + ${within + lateMs}`
  const { key = 'idempotency_key' } = tables[table] ?? {}
  return ['INSERT', `UPDATE OF ${column}`]
    .map(
      (
        when,
        i,
      ) => `CREATE TEMP TRIGGER tell_due_of_${table}_${column}_${i} AFTER ${when} ON main.${table} WHEN ${isLate}
    BEGIN SELECT tell('due late', '${table}', NEW.${key}, NEW.${column}); END;`,
    )
    .join('\n')
}

/** Two changes that were sent within one millisecond have the same time, also if one of them arrives late. */
function shownOf([table, columns]: [string, readonly string[]]): string {
  const isChanged = columns.map((column) => `NEW.${column} IS NOT OLD.${column}`).join(' OR ')
  const { key = 'id' } = tables[table] ?? {}
  return `CREATE TEMP TRIGGER tell_unstamped_${table} AFTER UPDATE OF ${columns.join()} ON main.${table}
    WHEN NEW.updated_at = OLD.updated_at AND NEW.updated_at < ${now} - ${stampedMs} AND (${isChanged})
    BEGIN SELECT tell('unstamped', '${table}', NEW.${key}, NEW.updated_at); END;`
}

/** Rules for all rows: each keeps its fixed columns, refers only to rows of its account, is looked at again, and tells when it was changed. */
export class RowModel {
  readonly #world: World

  constructor(world: World, database: Pick<Database, 'watch'>) {
    this.#world = world
    database.watch(ownTriggers)
    for (const table of Object.entries(tables)) database.watch(triggersOf(table))
    for (const relation of Object.entries(relations)) database.watch(relationOf(relation))
    for (const due of dues) database.watch(dueOf(due))
    for (const one of Object.entries(shown)) database.watch(shownOf(one))
  }

  /** Called for each committed change. */
  hear(what: string, one: string, two: string, three: string): void {
    switch (what) {
      case 'row changed':
        return this.#world.break(`${two} of ${one} has another ${three} than before`)
      case 'of two accounts':
        return this.#world.break(
          `a row of ${one} belongs to ${two}, and names one of another account`,
        )
      case 'unstamped':
        if (Number(three) < this.#world.sentAt - stampedMs)
          this.#world.break(`${two} of ${one} was changed, and does not tell when`)
        return
      case 'due late':
        return this.#world.break(`${two} of ${one} is looked at again only at ${three}`)
    }
  }
}
