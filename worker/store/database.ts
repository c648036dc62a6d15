import { drizzle, type DrizzleD1Database } from 'drizzle-orm/d1'
import { AppError } from '../contract/errors.ts'

export type Database = DrizzleD1Database

export function openDatabase(db: D1Database): Database {
  return drizzle(db)
}

/** Whatever D1 or R2 throws inside is a StorageError outside, with its cause for the log. */
export async function stored<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('StorageError', undefined, { cause: error })
  }
}

/** Whether an INSERT met a row with the same key; drizzle wraps D1's error. */
export function isUniqueViolation(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.message.includes('UNIQUE constraint failed')) return true
  }
  return false
}
