import { ticksPerSecond } from '../../containers/ffmpeg/process/process-stat.ts'
import { membersOfGroup, readStat } from '../../scripts/machine/process-table.ts'

/**
 * Processor time of a process group so far; undefined without /proc. Unlike elapsed time, other work on the machine
 * hardly affects it.
 */
export function cpuSecondsOf(group: number): number | undefined {
  if (process.platform !== 'linux') return undefined
  let ticks = 0
  for (const { pid } of membersOfGroup(group)) {
    ticks += readStat(pid)?.ticks ?? 0
  }
  return ticks / ticksPerSecond
}
