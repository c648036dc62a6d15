import {
  Column,
  getTableColumns,
  is,
  Placeholder,
  SQL,
  sql,
  type InferInsertModel,
} from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'

/** A row whose values may also be read from other rows. */
type ReadRow<Table extends SQLiteTable> = {
  [Field in keyof InferInsertModel<Table>]: InferInsertModel<Table>[Field] | SQL | Column
}

/** The row as a SELECT, in the order of the columns, for a row that is inserted only under a condition. */
export function selectRow<Table extends SQLiteTable>(table: Table, row: ReadRow<Table>): SQL {
  const given: Readonly<Record<string, unknown>> = row
  const values = Object.entries<Column>(getTableColumns(table)).map(([field, column]) => {
    const value = given[field]
    if (is(value, SQL) || is(value, Column)) return value
    return is(value, Placeholder) ? sql.param(value, column) : sql`${driverValue(column, value)}`
  })
  return sql`select ${sql.join(values, sql`, `)}`
}

function driverValue(column: Column, value: unknown): unknown {
  const known = value === undefined ? (column.default ?? null) : value
  return known === null ? null : column.mapToDriverValue(known)
}
