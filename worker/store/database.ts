import { DrizzleQueryError, sql, type Column, type SQL, type SQLWrapper } from 'drizzle-orm'
import { drizzle, type DrizzleD1Database } from 'drizzle-orm/d1'
import { AppError } from '../contract/answers/errors.ts'
import type { PageEnd } from '../contract/video/page-cursor.ts'
import {
  findInCauses,
  noteDatabaseError,
  noteDatabaseSuccess,
  type FaultPlace,
} from './database-faults.ts'

export type Database = DrizzleD1Database

/** The Drizzle database for each binding: examining the tables takes Drizzle longer than most statements. */
const opened = new WeakMap<D1Database, Database>()

export function openDatabase(db: D1Database): Database {
  const known = opened.get(db)
  if (known) return known
  const made = drizzle(db)
  opened.set(db, made)
  return made
}

/** Runs a statement that is built for this one call, because its text depends on the values. */
export async function query<Value>(
  d1: D1Database,
  ask: (db: Database) => PromiseLike<Value>,
): Promise<Value> {
  return callStorage(async () => ask(openDatabase(d1)), ask)
}

/** The rows of a statement that is written as text. */
export async function rowsOf<Row>(
  d1: D1Database,
  text: string,
  ...values: readonly unknown[]
): Promise<Row[]> {
  return callStorage(async () => {
    const { results } = await d1
      .prepare(text)
      .bind(...values)
      .all<Row>()
    return results
  }, text)
}

/** Runs all of these statements or none. Returns whether the first one, on which the others depend, changed a row. */
export async function changeWith(
  d1: D1Database,
  statements: readonly { toSQL: () => { sql: string; params: unknown[] } }[],
): Promise<boolean> {
  const built = statements.map((statement) => statement.toSQL())
  const all = built.map(({ sql: text, params }) => d1.prepare(text).bind(...params))
  const [first] = await callStorage(async () => d1.batch(all), built[0]?.sql)
  return (first?.results.length ?? 0) > 0
}

/**
 * Turns every error of D1 or R2 into a StorageError, whose cause is for the log. Faults of the database itself are noted
 * for health. `place`: where the database is asked, if `work` is shared by several places.
 */
export async function callStorage<Value>(
  work: () => Promise<Value>,
  place: FaultPlace = work,
): Promise<Value> {
  try {
    const value = await work()
    noteDatabaseSuccess(place)
    return value
  } catch (error) {
    if (error instanceof AppError) throw error
    noteDatabaseError(place, error)
    // A JSON column does not parse: the storage works, but its content is damaged.
    if (error instanceof SyntaxError) {
      // V8's message quotes the text, which belongs to the customer.
      const cause = new Error('a JSON column does not parse')
      throw new AppError('ProcessingError', 'The stored job cannot be read.', { cause })
    }
    throw new AppError('StorageError', undefined, { cause: withoutParameters(error) })
  }
}

/** Drizzle's message contains every value of the statement: names, addresses, secrets. None of them belongs in a log. */
function withoutParameters(error: unknown): unknown {
  if (!(error instanceof DrizzleQueryError)) return error
  return new Error(`Failed: ${error.query}`, { cause: error.cause })
}

/**
 * Matches any number of ids in one statement: a statement can bind at most 100 values, but a list of any length is one
 * value.
 */
export function among(column: Column, ids: readonly string[] | SQLWrapper): SQL {
  return sql`${column} in (select value from json_each(${sql.param(ids, asJson)}))`
}

const asJson = { mapToDriverValue: (ids: unknown) => JSON.stringify(ids) }

/**
 * The rows behind this place of a list that is sorted by time and then by id, newest first. The pair is compared as one: two
 * comparisons would make a deep page read every newer row.
 */
export function olderThan(
  { createdAt, id }: { createdAt: Column; id: Column },
  end: PageEnd | undefined,
): SQL | undefined {
  return end && sql`(${createdAt}, ${id}) < (${end.createdAt}, ${end.id})`
}

/** The table in which an INSERT found its key taken; undefined for any other error. */
export function tableOfTakenKey(error: unknown): string | undefined {
  return findInCauses(error, /(?<=UNIQUE constraint failed: )\w+(?=\.)/)
}

/** The column, as `table.column`, that requires a value for which an INSERT had none; undefined for any other error. */
export function columnOfMissingValue(error: unknown): string | undefined {
  return findInCauses(error, /(?<=NOT NULL constraint failed: )\w+\.\w+/)
}

/** The size of the database. D1 does not count pages that deleted rows have freed. */
export async function readDatabaseBytes(d1: D1Database): Promise<number> {
  return callStorage(async () => (await d1.prepare('SELECT 1').all()).meta.size_after)
}
