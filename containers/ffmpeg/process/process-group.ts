import { readFile, readdir, readlink } from 'node:fs/promises'
import { parseProcessStat, ticksPerSecond, type ProcessStat } from './process-stat.ts'

/** Signals every process of a group. A group that is already gone counts as success. */
export function signalGroup(groupId: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-groupId, signal)
  } catch (error) {
    // EPERM: only processes that are not yet reaped are left.
    if (!(error instanceof Error && 'code' in error)) throw error
    if (error.code !== 'ESRCH' && error.code !== 'EPERM') throw error
  }
}

/** The resident memory of a whole process group; zero on systems without /proc. */
export async function residentBytesOf(groupId: number): Promise<number> {
  const sizes = await Promise.all(
    (await processIds()).map(async (pid) => {
      const stat = await processStat(pid)
      return stat?.group === groupId ? stat.residentPages * pageBytes : 0
    }),
  )
  return sizes.reduce((sum, bytes) => sum + bytes, 0)
}

/** The resident memory of one process; zero on systems without /proc. */
export async function residentBytesOfProcess(pid: number): Promise<number> {
  return ((await processStat(pid))?.residentPages ?? 0) * pageBytes
}

/** The processor time of a process and of its programs that have ended, in milliseconds; zero on systems without /proc. */
export async function processorMsOf(pid: number): Promise<number> {
  const { ticks = 0, childTicks = 0 } = (await processStat(pid)) ?? {}
  return ((ticks + childTicks) / ticksPerSecond) * 1_000
}

/** Kills every process that still works inside a folder: children of a media worker that was killed itself. */
export async function killProcessesIn(folder: string): Promise<void> {
  for (const pid of await processIds()) {
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '')
    if (cwd !== folder && !cwd.startsWith(`${folder}/`)) continue
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It ended before the signal reached it.
    }
  }
}

/** When a process started, in ticks since boot; together with its id this names the process uniquely. */
export async function startTicksOf(pid: number): Promise<number | undefined> {
  return (await processStat(pid))?.startTicks
}

/** Every platform that has /proc and ffmpeg in Debian uses pages of this size, arm64 included. */
const pageBytes = 4096

async function processStat(pid: number): Promise<ProcessStat | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : parseProcessStat(text)
}

async function processIds(): Promise<number[]> {
  const names = await readdir('/proc').catch(() => [])
  return names.filter((name) => /^\d+$/.test(name)).map(Number)
}
