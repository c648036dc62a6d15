import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import * as accountTables from '../../../../worker/store/tables/account-tables.ts'
import * as peopleTables from '../../../../worker/store/tables/people-tables.ts'
import * as tables from '../../../../worker/store/tables/tables.ts'
import { bindings } from '../../../support/worker/bindings.ts'

type Column = { name: string; type: string; notnull: number; pk: number }

const described = [tables, accountTables, peopleTables]
  .flatMap((file): unknown[] => Object.values(file))
  .filter((value) => value instanceof SQLiteTable)

async function columnsOf(table: string): Promise<Column[]> {
  const { results } = await bindings.DB.prepare(`PRAGMA table_info("${table}")`).all<Column>()
  return results
}

/** A column's properties in one line, so that a difference is easy to read. */
function line({ name, type, required }: { name: string; type: string; required: boolean }) {
  return `${name} ${type.toUpperCase()}${required ? ' NOT NULL' : ''}`
}

describe('tables', () => {
  it('describes every table of the migrations, and no other', async () => {
    const { results } = await bindings.DB.prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table'",
    ).all<{ name: string }>()
    const migrated = results
      .map(({ name }) => name)
      .filter((name) => !/^(sqlite_|_cf_|d1_migrations)/.test(name))
    expect(described.map((table) => getTableConfig(table).name).sort()).toEqual(migrated.sort())
  })

  it('agrees with the migrations on the columns of every table', async () => {
    for (const table of described) {
      const { name, columns, primaryKeys } = getTableConfig(table)
      const compound = primaryKeys.flatMap((key) => key.columns.map((column) => column.name))
      const written = columns.map((column) =>
        line({
          name: column.name,
          type: column.getSQLType(),
          required: column.notNull || column.primary,
        }),
      )
      const migrated = (await columnsOf(name)).map((column) =>
        line({
          name: column.name,
          type: column.type,
          required: column.notnull === 1 || column.pk > 0,
        }),
      )
      expect({ name, columns: written.sort() }).toEqual({ name, columns: migrated.sort() })
      const keys = columns.filter(({ primary }) => primary).map((column) => column.name)
      const known = (await columnsOf(name)).filter(({ pk }) => pk > 0).map((column) => column.name)
      expect({ name, keys: [...keys, ...compound].sort() }).toEqual({ name, keys: known.sort() })
    }
  })
})
