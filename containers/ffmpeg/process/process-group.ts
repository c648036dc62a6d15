import { existsSync, readFileSync, readdirSync, readlinkSync } from 'node:fs'
import { parseProcessStat, ticksPerSecond, type ProcessStat } from './process-stat.ts'

/** Kills every process of a group. A group that is already gone counts as success. */
export function killGroup(groupId: number): void {
  try {
    process.kill(-groupId, 'SIGKILL')
  } catch (error) {
    // EPERM: only processes that are not yet reaped are left.
    if (!(error instanceof Error && 'code' in error)) throw error
    if (error.code !== 'ESRCH' && error.code !== 'EPERM') throw error
  }
}

/** The resident memory of a whole process group; zero on systems without /proc, and while no more files can be opened. */
export function residentBytesOf(groupId: number): number {
  return processesNow()
    .map(processStat)
    .filter((stat) => stat?.group === groupId)
    .reduce((sum, stat) => sum + (stat?.residentPages ?? 0) * pageBytes, 0)
}

/** The resident memory of one process; zero on systems without /proc. */
export function residentBytesOfProcess(pid: number): number {
  return (processStat(pid)?.residentPages ?? 0) * pageBytes
}

/** The processor time of a process and of its programs that have ended, in milliseconds; zero on systems without /proc. */
export function processorMsOf(pid: number): number {
  const { ticks = 0, childTicks = 0 } = processStat(pid) ?? {}
  return ((ticks + childTicks) / ticksPerSecond) * 1_000
}

/** The processor time of the programs alone that this process has started, and that have ended. */
export function programsMs(): number {
  return ((processStat(process.pid)?.childTicks ?? 0) / ticksPerSecond) * 1_000
}

/** Kills every process that still works inside a folder: children of a media worker that was killed itself. */
export function killProcessesIn(folder: string): void {
  for (const pid of processIds()) {
    const cwd = workingFolderOf(pid)
    if (cwd !== folder && !cwd.startsWith(`${folder}/`)) continue
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // The process ended before the signal reached it.
    }
  }
}

/** When a process started, in ticks since boot; together with its id this names the process uniquely. */
export function startTicksOf(pid: number): number | undefined {
  return processStat(pid)?.startTicks
}

/** Every platform that has /proc and ffmpeg in Debian uses pages of this size, arm64 included. */
const pageBytes = 4096

/**
 * Reads what the kernel says about a process without using a thread: it answers at once, and on a busy machine each of hundreds
 * of small files would wait for its turn on a thread.
 */
function processStat(pid: number): ProcessStat | undefined {
  try {
    return parseProcessStat(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    // The process has ended, or there is no /proc.
    return undefined
  }
}

function workingFolderOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    // The process has ended, or belongs to somebody else.
    return ''
  }
}

/** The ids of all processes. A timer calls this, and an error would end every job of this machine; it tries again soon. */
function processesNow(): number[] {
  try {
    return processIds()
  } catch {
    return []
  }
}

function processIds(): number[] {
  if (!existsSync('/proc')) return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
}
