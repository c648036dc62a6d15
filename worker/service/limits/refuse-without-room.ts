import type { Env } from '../../settings.ts'
import { refuseWhenDatabaseIsFull } from './database-fill.ts'
import { refuseWithoutDisk } from './disk-room.ts'

/** Refuses what would add a video or an upload, which has so many bytes if that is known, where there is no room for it. */
export async function refuseWithoutRoom(env: Env, now: number, bytes = 0): Promise<void> {
  await refuseWithoutDisk(env, now, bytes)
  await refuseWhenDatabaseIsFull(env, now)
}
