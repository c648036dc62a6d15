import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import {
  parseProcessStat,
  ticksPerSecond,
  type ProcessStat,
} from '../../containers/ffmpeg/process/process-stat.ts'

/** A process and the moment it began: its pid alone may belong to another process by now. */
export type ProcessIdentity = { pid: number; startedAt: string }

type ProcessRow = {
  pid: number
  group: number
  startedAt: string
  dead: boolean
  /** Only where there is no /proc. */
  stopped?: boolean
}

const onLinux = process.platform === 'linux'

export function identify(pid: number): ProcessIdentity | undefined {
  const row = onLinux ? readRow(pid) : psRows(['-p', String(pid)]).at(0)
  return row && !row.dead ? { pid, startedAt: row.startedAt } : undefined
}

export function isAlive(process: ProcessIdentity): boolean {
  return identify(process.pid)?.startedAt === process.startedAt
}

/** Living members only; a process that has ended but was not reaped still answers signal 0. */
export function membersOfGroup(group: number): ProcessIdentity[] {
  return allRows()
    .filter((row) => row.group === group && !row.dead)
    .map(({ pid, startedAt }) => ({ pid, startedAt }))
}

export function allPids(): number[] {
  return allRows()
    .filter((row) => !row.dead)
    .map((row) => row.pid)
}

/** Whether a SIGSTOP has taken effect on every thread of a process. */
export function isStopped(pid: number): boolean {
  if (!onLinux) return psRows(['-p', String(pid)]).at(0)?.stopped ?? false
  const threads = readdirSync(`/proc/${pid}/task`)
  return threads.every((thread) => {
    const stat = readProc(`/proc/${pid}/task/${thread}/stat`)
    return stat === undefined || /^T/.test(stat.slice(stat.lastIndexOf(')') + 2))
  })
}

function allRows(): ProcessRow[] {
  if (!onLinux) return psRows(['-ax'])
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readRow(Number(name)) ?? [])
}

/** How every process was started, with its arguments. */
export function commandLines(): string[] {
  if (!onLinux) return ps(['-ax', '-ww', '-o', 'args=']).split('\n')
  return allPids().flatMap((pid) => readProc(`/proc/${pid}/cmdline`) ?? [])
}

let bootId: string | undefined

function readRow(pid: number): ProcessRow | undefined {
  const stat = readStat(pid)
  if (!stat) return undefined
  // Ticks count from boot, so the same number can occur after the next boot.
  bootId ??= readProc('/proc/sys/kernel/random/boot_id')?.trim() ?? ''
  const { group, startTicks, isDead: dead } = stat
  return { pid, group, startedAt: `${bootId}:${startTicks}`, dead }
}

/** What the living members have used so far; undefined where there is no /proc. */
export function processorMsOfGroup(group: number): number | undefined {
  if (!onLinux) return undefined
  const members = allPids().flatMap((pid) => readStat(pid) ?? [])
  const ticks = members.filter((stat) => stat.group === group).map((stat) => stat.ticks)
  return (ticks.reduce((sum, one) => sum + one, 0) * 1_000) / ticksPerSecond
}

/** Undefined when the process is gone, and where there is no /proc. */
export function readStat(pid: number | 'self'): ProcessStat | undefined {
  return parseProcessStat(readProc(`/proc/${pid}/stat`) ?? '')
}

/** Reads a file of /proc; undefined if the process is gone or not ours to read. */
export function readProc(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function psRows(selection: readonly string[]): ProcessRow[] {
  const columns = ['-o', 'pid=,pgid=,stat=,lstart=']
  return ps([...selection, ...columns])
    .split('\n')
    .flatMap((line) => {
      const [, pid, group, state, startedAt] =
        /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(line) ?? []
      if (startedAt === undefined) return []
      return {
        pid: Number(pid),
        group: Number(group),
        startedAt,
        dead: state?.startsWith('Z') === true,
        stopped: state?.startsWith('T') === true,
      }
    })
}

/** What `ps` prints; nothing if it finds no process. */
function ps(args: readonly string[]): string {
  try {
    return execFileSync('ps', args, { encoding: 'utf8' })
  } catch {
    return ''
  }
}
