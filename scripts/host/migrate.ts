import { isDeepStrictEqual } from 'node:util'
import path from 'node:path'
import { noteApplied, readApplied } from './applied-migrations.ts'
import { readMigrations, type BuiltWorker, type Migration } from './built-worker.ts'
import { openDatabasesAlone, type WorkerOptions } from './runtime.ts'

type Database = Awaited<ReturnType<typeof openDatabasesAlone>>['databases'][number][1]

/**
 * The table in which `wrangler d1 migrations` records what it has applied, so that either of the two can continue where
 * the other stopped.
 */
const noted = `CREATE TABLE IF NOT EXISTS d1_migrations(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`

/** Applies new migrations to the local databases before anything is served from them. */
export async function migrate(
  built: BuiltWorker,
  options: WorkerOptions,
  state: string,
): Promise<void> {
  const migrations = readMigrations(built)
  const names = migrations.map(({ name }) => name)
  const all = Object.fromEntries(Object.keys(options.d1Databases).map((name) => [name, names]))
  if (isDeepStrictEqual(readApplied(state), all)) return
  const { databases, close } = await openDatabasesAlone(options, databaseFolder(state))
  try {
    for (const [, database] of databases) await applyNew(database, migrations)
  } finally {
    await close()
  }
  noteApplied(state, all)
}

/** Miniflare's third file layout, which wrangler uses as well. */
export const databaseFolder = (state: string) => path.join(state, 'v3')

async function applyNew(database: Database, migrations: readonly Migration[]): Promise<void> {
  await database.prepare(noted).run()
  const { results } = await database.prepare('SELECT name FROM d1_migrations').all()
  const applied = new Set(results.map((row) => row['name']))
  for (const { name, statements } of migrations) {
    if (applied.has(name)) continue
    const note = database.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(name)
    try {
      // One transaction, so that a migration is applied and recorded, or neither.
      await database.batch([...statements.map((sql) => database.prepare(sql)), note])
    } catch (error) {
      throw new Error(`The migration ${name} failed`, { cause: error })
    }
  }
}
