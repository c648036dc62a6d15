import { ticksPerSecond } from '../../containers/ffmpeg/process/process-stat.ts'
import { membersOfGroup, readProc, readStat } from '../../scripts/machine/process-table.ts'

/** The processes of a service: its supervisor, and the leaders of the other process groups. */
export type ServiceProcesses = { supervisor: number; worker: number; mediaWorkers: number[] }

/** Seconds of processor time so far. Programs are counted once they have ended. */
export type CpuOfParts = Record<'workerd' | 'host' | 'start' | 'media' | 'programs', number>

/** Undefined without /proc. */
export function cpuOfParts(processes: ServiceProcesses): CpuOfParts | undefined {
  if (process.platform !== 'linux') return undefined
  const parts = { workerd: 0, host: 0, start: 0, media: 0, programs: 0 }
  for (const { pid } of membersOfGroup(processes.worker)) {
    const { name, own } = timesOf(pid)
    parts[name === 'workerd' ? 'workerd' : 'host'] += own
  }
  parts.start = timesOf(processes.supervisor).own
  for (const { own, ofChildren } of processes.mediaWorkers.map(timesOf)) {
    parts.media += own
    parts.programs += ofChildren
  }
  return parts
}

function timesOf(pid: number): { name: string; own: number; ofChildren: number } {
  const { name = '', ticks = 0, childTicks = 0 } = readStat(pid) ?? {}
  return { name, own: ticks / ticksPerSecond, ofChildren: childTicks / ticksPerSecond }
}

/** Processor time of the whole machine so far. */
export function cpuOfMachine(): number | undefined {
  // user, nice, system, idle, iowait, irq, softirq, steal: https://man7.org/linux/man-pages/man5/proc_stat.5.html
  const [, ...fields] = (readProc('/proc/stat') ?? '').split('\n')[0]?.trim().split(/\s+/) ?? []
  if (fields.length < 8) return undefined
  const busy = [0, 1, 2, 5, 6, 7].reduce((sum, field) => sum + Number(fields[field]), 0)
  return busy / ticksPerSecond
}
