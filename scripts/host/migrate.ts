import { isDeepStrictEqual } from 'node:util'
import path from 'node:path'
import { readJson, writeJson } from '../machine/write-file.ts'
import {
  readBuiltOptions,
  readMigrations,
  type BuiltWorker,
  type Migration,
} from './built-worker.ts'
import { openDatabaseAlone } from './runtime.ts'

type Database = Awaited<ReturnType<typeof openDatabaseAlone>>['database']

/**
 * The table in which `wrangler d1 migrations` records what it has applied, so that either of the two can continue where
 * the other stopped.
 */
const noted = `CREATE TABLE IF NOT EXISTS d1_migrations(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`

/** Applies new migrations to the local database before anything is served from it. */
export async function migrate(built: BuiltWorker, state: string): Promise<void> {
  const migrations = readMigrations(built)
  const names = migrations.map(({ name }) => name)
  // Asking the database takes half a second, so a file next to it lists what was applied; it is deleted with the
  // database.
  const known = path.join(state, 'applied-migrations.json')
  if (isDeepStrictEqual(readJson(known), names)) return
  const { database, close } = await openDatabaseAlone(
    readBuiltOptions(built),
    databaseFolder(state),
  )
  try {
    await applyNew(database, migrations)
  } finally {
    await close()
  }
  writeJson(known, names, 0o644)
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
