import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import {
  createDataDirectory,
  type DataDirectory,
} from '../../../../scripts/start/data/data-directory.ts'
import { requireSchema } from '../../../../scripts/start/data/require-schema.ts'
import { temporaryDirectory } from '../../../support/node/directories.ts'

function aDatabase(migrations: readonly string[]): DataDirectory {
  const data = createDataDirectory(temporaryDirectory())
  const folder = path.join(data.state, 'v3/d1/miniflare-D1DatabaseObject')
  mkdirSync(folder, { recursive: true })
  const database = new DatabaseSync(path.join(folder, `${'ab'.repeat(32)}.sqlite`))
  database.exec('CREATE TABLE d1_migrations (name TEXT)')
  for (const name of migrations) database.prepare('INSERT INTO d1_migrations VALUES (?)').run(name)
  database.close()
  return data
}

describe('requireSchema', () => {
  it('refuses a database from before the first release, and says what to do', () => {
    const data = aDatabase(['0001_foundation.sql', '0002_file_retention.sql'])
    expect(() => requireSchema(data)).toThrow(
      `${data.base} was made by a Spool from before its first release, and this version cannot read its database. ` +
        `Start with another folder: SPOOL_DATA_DIR=${data.base}-new npm start.`,
    )
  })

  it('takes an empty folder, and a database with migrations of this version or of a later one', () => {
    const of = (migrations: string[]) => () => requireSchema(aDatabase(migrations))
    expect(() => requireSchema(createDataDirectory(temporaryDirectory()))).not.toThrow()
    expect(of([])).not.toThrow()
    expect(of(['0001_accounts.sql'])).not.toThrow()
    expect(of(['0001_accounts.sql', '0099_later.sql'])).not.toThrow()
  })
})
