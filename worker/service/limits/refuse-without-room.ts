import type { Env } from '../../settings.ts'
import { refuseWhenDatabaseIsFull } from './database-fill.ts'
import { refuseWithoutDisk } from './disk-room.ts'

/** Refuses what would add a video or an upload where there is no room for it; `bytes` is its size, if that is known. */
export async function refuseWithoutRoom(env: Env, now: number, bytes = 0): Promise<void> {
  await refuseWithoutDisk(env, now, bytes)
  await refuseWhenDatabaseIsFull(env, now)
}
