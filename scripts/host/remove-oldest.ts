import { readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { commandLines } from '../machine/process-table.ts'

/** Enough that switching between two versions rebuilds neither. */
const keptBuilds = 4

/** The build that was used least recently is removed first; one that a service runs from is never removed. */
export function removeOldest(cacheFolder: string): void {
  const builds = readdirSync(cacheFolder)
    .filter((name) => name.startsWith('worker-'))
    .map((name) => path.join(cacheFolder, name))
    .map((folder) => ({ folder, usedAt: statSync(folder).mtimeMs }))
    .sort((a, b) => b.usedAt - a.usedAt)
  const old = builds.slice(keptBuilds)
  if (old.length === 0) return
  const running = commandLines()
  for (const { folder } of old) {
    const isInUse = running.some((line) => line.includes(folder))
    if (!isInUse) rmSync(folder, { recursive: true, force: true })
  }
}
