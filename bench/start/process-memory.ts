import { ticksPerSecond } from '../../containers/ffmpeg/process/process-stat.ts'
import { allPids, readProc, readStat } from '../../scripts/machine/process-table.ts'

export type ProcessMemory = { name: string; mebibytes: number; residentMebibytes: number }

/** The memory of a process and of all its descendants. Linux only. */
export function memoryBelow(ancestor: number): ProcessMemory[] {
  return descendants(ancestor).map((pid) => {
    const rollup = readProc(`/proc/${pid}/smaps_rollup`) ?? ''
    const kibibytes = (field: string) =>
      Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(rollup)?.[1] ?? 0)
    return {
      name: nameOf(pid),
      // The proportional share, so that a page that several processes share counts once in the sum.
      mebibytes: kibibytes('Pss') / 1024,
      residentMebibytes: kibibytes('Rss') / 1024,
    }
  })
}

/** The processor time of a process, its descendants, and those of them that have ended, in seconds. Linux only. */
export function cpuBelow(ancestor: number): number {
  const stats = descendants(ancestor).flatMap((pid) => readStat(pid) ?? [])
  const ticks = stats.reduce((sum, stat) => sum + stat.ticks + stat.childTicks, 0)
  return ticks / ticksPerSecond
}

function descendants(ancestor: number): number[] {
  const parents = new Map(allPids().map((pid) => [pid, readStat(pid)?.parent]))
  const isBelow = (pid: number): boolean => {
    if (pid === ancestor) return true
    const parent = parents.get(pid)
    return parent !== undefined && parent > 1 && isBelow(parent)
  }
  return [...parents.keys()].filter(isBelow).sort((a, b) => a - b)
}

const names: readonly [part: string, name: string][] = [
  ['workerd serve', 'workerd: Worker, D1, R2, queues'],
  ['scripts/host/main.ts', 'host of the Worker'],
  ['containers/main.ts', 'media worker'],
  ['containers/job-process.ts', 'media worker: process of a job'],
  ['scripts/start.ts', 'npm start: supervisor'],
  ['scripts/bootstrap.mjs', 'npm start: launcher'],
  ['npm start', 'npm'],
]

function nameOf(pid: number): string {
  const command = (readProc(`/proc/${pid}/cmdline`) ?? '').replaceAll('\0', ' ').trim()
  return names.find(([part]) => command.includes(part))?.[1] ?? command.slice(0, 60)
}
