import { measureFill, sayFill, type FillLevel } from '../service/limits/database-fill.ts'
import { isolateMemory } from '../contract/isolate-memory.ts'
import { log } from '../service/log.ts'
import type { Env } from '../settings.ts'

const hourMs = 3_600_000
const said = isolateMemory<{ level: FillLevel; at: number } | undefined>(() => undefined)

/** Warns in the log when the database has passed a level, and every hour for as long as it stays there. */
export async function watchDatabase(env: Env, now: number): Promise<void> {
  const fill = await measureFill(env, now)
  const message = sayFill(fill)
  const { current } = said
  if (message === undefined || (current?.level === fill.level && now < current.at + hourMs)) return
  said.current = { level: fill.level, at: now }
  const { bytes, mostBytes } = fill
  log(fill.level === 'full' ? 'error' : 'warn', 'the database fills up', {
    message,
    bytes,
    mostBytes,
  })
}
