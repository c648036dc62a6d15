import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { root } from '../../machine/checkout.ts'
import { StopWithMessage } from '../../machine/stop-with-message.ts'
import type { DataDirectory } from './data-directory.ts'

/**
 * Stops if the database was made before the schema of the first release. A database that has some of its migrations is
 * brought up to date, or was made by a later version and can still be used after a rollback.
 */
export function requireSchema({ base, state }: Pick<DataDirectory, 'base' | 'state'>): void {
  for (const file of databaseFiles(state)) {
    if (!isOfNoRelease(appliedTo(file))) continue
    throw new StopWithMessage(
      `${base} was made by a Spool from before its first release, and this version cannot read its database. ` +
        `Start with another folder: SPOOL_DATA_DIR=${base}-new npm start. ` +
        'The version that made it still opens it: save the videos that you want to keep with that one.',
    )
  }
}

/** Whether a database that has had these migrations has another schema than that of the first release. */
export function isOfNoRelease(applied: readonly string[]): boolean {
  const known = new Set(readdirSync(path.join(root, 'migrations')))
  return applied.length > 0 && !applied.some((name) => known.has(name))
}

function databaseFiles(state: string): string[] {
  const folder = path.join(state, 'v3/d1')
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\/[0-9a-f]{64}\.sqlite$/.test(name))
    .map((name) => path.join(folder, name))
}

function appliedTo(file: string): string[] {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const tables = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'd1_migrations'")
    if (!tables.get()) return []
    const names = database.prepare('SELECT name FROM d1_migrations').all()
    return names.map((row) => String(row['name']))
  } finally {
    database.close()
  }
}
