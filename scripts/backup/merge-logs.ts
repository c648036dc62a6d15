import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { existsSync } from 'node:fs'
import { StopWithMessage } from '../machine/stop-with-message.ts'
import type { Manifest } from './backup-folder.ts'

type Contents = Pick<Manifest, 'counts' | 'migrations'>
type Counts = Manifest['counts']

const countOf: Readonly<Record<keyof Counts, string>> = {
  accounts: 'SELECT count(*) AS n FROM accounts',
  people: 'SELECT count(*) AS n FROM people',
  keys: 'SELECT count(*) AS n FROM api_keys WHERE revoked_at IS NULL',
  videos: 'SELECT count(*) AS n FROM videos',
  unfinishedJobs: "SELECT count(*) AS n FROM videos WHERE status IN ('queued', 'running')",
  pendingWebhooks: "SELECT count(*) AS n FROM webhook_deliveries WHERE status = 'pending'",
}

const databaseFolder = /(^|\/)d1\/[^/]+\/[0-9a-f]{64}\.sqlite$/
const bucketFolder = /(^|\/)r2\/[^/]+\/[0-9a-f]{64}\.sqlite$/

/**
 * Moves what the logs of copied databases contain into the databases themselves, which leaves one file of each, and
 * checks them. Returns what the service's own database says of itself.
 */
export function mergeLogs(folder: string, names: readonly string[]): Contents {
  const databases = names.filter((name) => name.endsWith('.sqlite'))
  for (const name of databases) {
    const hasLog = existsSync(path.join(folder, `${name}-wal`))
    if (hasLog || databaseFolder.test(name) || bucketFolder.test(name)) mergeLog(folder, name)
  }
  const own = databases.find((name) => databaseFolder.test(name))
  if (own === undefined) {
    throw new StopWithMessage(`${folder} has no database of a service: nothing to back up.`)
  }
  return reading(folder, own, (database) => ({
    counts: countsOf(database),
    migrations: texts(database, 'SELECT name AS text FROM d1_migrations ORDER BY name'),
  }))
}

function mergeLog(folder: string, name: string): void {
  reading(folder, name, (database) => {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    const faults = database.prepare('PRAGMA quick_check(5)').all()
    const [first] = faults.map((row) => String(row['quick_check']))
    if (first !== 'ok') throw new StopWithMessage(`${name} is damaged: ${first ?? 'no answer'}`)
  })
}

/** The objects that rows of the buckets name, by the names of their files. */
export function namedObjects(folder: string, names: readonly string[]): Set<string> {
  const named = names
    .filter((name) => bucketFolder.test(name))
    .flatMap((name) =>
      reading(folder, name, (database) =>
        texts(
          database,
          `SELECT blob_id AS text FROM _mf_objects WHERE blob_id IS NOT NULL
           UNION SELECT blob_id FROM _mf_multipart_parts`,
        ),
      ),
    )
  return new Set(named)
}

function countsOf(database: DatabaseSync): Counts {
  const counts = Object.entries(countOf).map(([name, sql]) => [
    name,
    Number(database.prepare(sql).get()?.['n']),
  ])
  return Object.fromEntries(counts) as Counts
}

function texts(database: DatabaseSync, sql: string): string[] {
  return database
    .prepare(sql)
    .all()
    .map((row) => String(row['text']))
}

/** The last connection that closes removes the log. */
function reading<Value>(
  folder: string,
  name: string,
  work: (database: DatabaseSync) => Value,
): Value {
  const database = new DatabaseSync(path.join(folder, name))
  try {
    return work(database)
  } catch (cause) {
    if (cause instanceof StopWithMessage) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new StopWithMessage(`${name} cannot be read: ${reason}`, 1, { cause })
  } finally {
    database.close()
  }
}
