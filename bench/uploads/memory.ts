import { readlinkSync } from 'node:fs'
import path from 'node:path'
import { membersOfGroup, readProc } from '../../scripts/machine/process-table.ts'

/** Resident memory of one process, in MiB: now, and at its highest so far. */
export type Memory = { now: number; peak: number }

/** The memory of every workerd in a process group, by pid. */
export function memoryOfRuntimes(group: number): Map<number, Memory> {
  const runtimes = membersOfGroup(group).filter(({ pid }) => programOf(pid) === 'workerd')
  return new Map(
    runtimes.map(({ pid }) => {
      const status = readProc(`/proc/${pid}/status`) ?? ''
      return [pid, { now: mebibytes(status, 'VmRSS'), peak: mebibytes(status, 'VmHWM') }]
    }),
  )
}

function mebibytes(status: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024
}

function programOf(pid: number): string {
  try {
    return path.basename(readlinkSync(`/proc/${pid}/exe`))
  } catch {
    // The process has just ended.
    return ''
  }
}
