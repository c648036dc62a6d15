import { DrizzleQueryError, sql, type Column, type SQL } from 'drizzle-orm'
import { drizzle, type DrizzleD1Database } from 'drizzle-orm/d1'
import { AppError } from '../contract/errors.ts'

export type Database = DrizzleD1Database

export function openDatabase(db: D1Database): Database {
  return drizzle(db)
}

/** A statement for a batch of D1 itself, beside those whose text is known. */
export function prepared(
  d1: D1Database,
  statement: { toSQL: () => { sql: string; params: unknown[] } },
): D1PreparedStatement {
  const { sql: text, params } = statement.toSQL()
  return d1.prepare(text).bind(...params)
}

/** Whatever D1 or R2 throws inside is a StorageError outside, with its cause for the log. */
export async function stored<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError) throw error
    // A JSON column that does not parse: the storage is sound, what lies in it is not.
    if (error instanceof SyntaxError) {
      // V8 quotes the text it stumbled over; that is the customer's.
      const cause = new Error('a JSON column does not parse')
      throw new AppError('ProcessingError', 'The stored job cannot be read.', { cause })
    }
    throw new AppError('StorageError', undefined, { cause: withoutParameters(error) })
  }
}

/** Drizzle's message holds every value of the statement: names, addresses, secrets. None of them belongs in a log. */
function withoutParameters(error: unknown): unknown {
  if (!(error instanceof DrizzleQueryError)) return error
  return new Error(`Failed: ${error.query}`, { cause: error.cause })
}

/** All of these ids in one statement, however many: at most 100 values can be bound to one, and a list of any length is one. */
export function among(column: Column, ids: readonly string[]): SQL {
  return sql`${column} in (select value from json_each(${JSON.stringify(ids)}))`
}

/** The table whose key an INSERT found taken; undefined when the error is another one. */
export function tableOfTakenKey(error: unknown): string | undefined {
  return findInCauses(error, /UNIQUE constraint failed: (\w+)\./)
}

/** The column, as `table.column`, for which an INSERT found nothing where something is required. */
export function columnOfMissingValue(error: unknown): string | undefined {
  return findInCauses(error, /NOT NULL constraint failed: (\w+\.\w+)/)
}

/** Drizzle wraps what D1 says. */
function findInCauses(error: unknown, pattern: RegExp): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const found = pattern.exec(cause.message)?.[1]
    if (found) return found
  }
  return undefined
}
