import { readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { listBackups, unfinishedPrefix } from './backup-folder.ts'

/** A backup that has not been written to for so long was broken off. */
const abandonedMs = 86_400_000

/** Removes all but the newest backups; returns the names of those removed. */
export function keepNewest(place: string, count: number): string[] {
  const old = listBackups(place).slice(0, -count)
  for (const name of old) rmSync(path.join(place, name), { recursive: true })
  return old
}

export function removeAbandoned(place: string, nowMs: number): void {
  for (const name of readdirSync(place)) {
    if (!name.startsWith(unfinishedPrefix)) continue
    const folder = path.join(place, name)
    if (nowMs - statSync(folder).mtimeMs > abandonedMs) rmSync(folder, { recursive: true })
  }
}
