import { and, asc, eq, ne, sql, type InferSelectModel, type SQL } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { query } from './database.ts'
import { selectRow } from './insert-row.ts'
import { presets, storages } from './tables/account-tables.ts'

/** A table whose rows an account stores under names of its own choice. */
type NamedTable = SQLiteTable & { accountId: SQLiteColumn; name: SQLiteColumn }

type Row<Table extends NamedTable> = InferSelectModel<Table> & {
  accountId: string
  name: string
  createdAt: number
}

/** Reads and writes the rows of such a table; within an account, names are unique. */
class NamedRows<Table extends NamedTable> {
  readonly #table: Table

  constructor(table: Table) {
    this.#table = table
  }

  async find(d1: D1Database, accountId: string, name: string): Promise<Row<Table> | undefined> {
    const [row] = await this.#select(d1, this.#named(accountId, name))
    return row
  }

  /** All rows of an account, sorted by name. */
  async list(d1: D1Database, accountId: string): Promise<Row<Table>[]> {
    return this.#select(d1, eq(this.#table.accountId, accountId))
  }

  async #select(d1: D1Database, condition: SQL | undefined): Promise<Row<Table>[]> {
    const table: NamedTable = this.#table
    const found = await query(d1, (db) =>
      db.select().from(table).where(condition).orderBy(asc(table.name)),
    )
    // Drizzle does not know the rows of a table that is a parameter.
    return found as Row<Table>[]
  }

  #named(accountId: string, name: string): SQL | undefined {
    return and(eq(this.#table.accountId, accountId), eq(this.#table.name, name))
  }

  /**
   * Creates the row, or replaces the one of that name but keeps its time of creation. Returns undefined if the account has
   * `most` others already; the statement that counts them also writes.
   */
  async save(d1: D1Database, row: Row<Table>, most: number): Promise<Row<Table> | undefined> {
    const table: NamedTable = this.#table
    const { createdAt, ...changed } = row
    const [saved] = await query(d1, (db) => {
      const others = db
        .select({ n: sql`count(*)` })
        .from(table)
        .where(and(eq(table.accountId, row.accountId), ne(table.name, row.name)))
      return db
        .insert(table)
        .select(sql`${selectRow(table, { ...changed, createdAt })} where ${others} < ${most}`)
        .onConflictDoUpdate({ target: [table.accountId, table.name], set: changed })
        .returning()
    })
    return saved as Row<Table> | undefined
  }

  /** Returns false if no row had this name. */
  async delete(d1: D1Database, accountId: string, name: string): Promise<boolean> {
    const table: NamedTable = this.#table
    const deleted = await query(d1, (db) =>
      db
        .delete(table)
        .where(this.#named(accountId, name))
        .returning({ one: sql`1` }),
    )
    return deleted.length > 0
  }
}

export const presetRows = new NamedRows(presets)
export const storageRows = new NamedRows(storages)
