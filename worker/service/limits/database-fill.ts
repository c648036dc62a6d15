import { AppError } from '../../contract/answers/errors.ts'
import { readSettings, type Env } from '../../settings.ts'
import { readDatabaseBytes } from '../../store/database.ts'
import { isolateMemory } from '../../contract/isolate-memory.ts'
import { refuseWithoutDisk } from './disk-room.ts'

/** Levels by the percentage of the database's limit. From the last one on, nothing new is accepted. */
export const fillLevels = { roomy: 0, filling: 60, 'nearly full': 80, full: 95 } as const
export type FillLevel = keyof typeof fillLevels

export type DatabaseFill = { level: FillLevel; percent: number; bytes: number; mostBytes: number }

export function judgeFill(bytes: number, mostBytes: number): DatabaseFill {
  const percent = (bytes / mostBytes) * 100
  const reached = Object.entries(fillLevels).findLast(([, from]) => percent >= from)
  // Object.entries() loses the type of the keys; the table has no others.
  return { level: (reached?.[0] ?? 'roomy') as FillLevel, percent, bytes, mostBytes }
}

/** A message for the operator; undefined while the database has room. */
export function sayFill({ level, percent }: DatabaseFill): string | undefined {
  if (level === 'roomy') return undefined
  const holds = `The database is ${Math.floor(percent)} % full`
  return level === 'full' ? `${holds}: no new video is accepted` : holds
}

/** D1 tells its size with every answer that has details, so it costs a statement only while it is full. */
const known = isolateMemory<{ bytes: number; at: number } | undefined>(() => undefined)
const staysFullMs = 10_000

export function noteDatabaseBytes(bytes: number | undefined, now: number): void {
  if (bytes !== undefined) known.current = { bytes, at: now }
}

/** Asks the database for its size. */
export async function measureFill(env: Env, now: number): Promise<DatabaseFill> {
  const bytes = await readDatabaseBytes(env.DB)
  noteDatabaseBytes(bytes, now)
  return judgeFill(bytes, readSettings(env).mostDatabaseBytes)
}

const retryAfterSeconds = 60

function databaseFull(): AppError {
  const message =
    'The database of this service is full, so it cannot accept new videos. Videos it has accepted carry on. Its operator has to make room.'
  return new AppError('InsufficientStorage', message, { retryAfterSeconds })
}

/**
 * Refuses requests that would add a video, while the ends of accepted videos still have room. An isolate learns the size
 * with its first create, so each isolate may accept one too many.
 */
async function refuseWhenDatabaseIsFull(env: Env, now: number): Promise<void> {
  if (await isFull(env, now)) throw databaseFull()
}

async function isFull(env: Env, now: number): Promise<boolean> {
  const { current } = known
  if (!current) return false
  const { level } = judgeFill(current.bytes, readSettings(env).mostDatabaseBytes)
  if (level !== 'full') return false
  const isRecent = now >= current.at && now < current.at + staysFullMs
  return isRecent || (await measureFill(env, now)).level === 'full'
}

/** Refuses requests that would add a video or an upload without room for it; `bytes` is its size, if known. */
export async function refuseWithoutRoom(env: Env, now: number, bytes = 0): Promise<void> {
  await refuseWithoutDisk(env, now, bytes)
  await refuseWhenDatabaseIsFull(env, now)
}
