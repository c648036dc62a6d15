import { ticksPerSecond } from '../../containers/ffmpeg/process-stat.ts'
import { membersOfGroup, readStat } from '../../scripts/machine/process-table.ts'

/**
 * Processor time of a process group so far; undefined where there is no /proc. Unlike the clock on the wall it hardly
 * minds what else the machine does.
 */
export function cpuSecondsOf(group: number): number | undefined {
  if (process.platform !== 'linux') return undefined
  let ticks = 0
  for (const { pid } of membersOfGroup(group)) {
    ticks += readStat(pid)?.ticks ?? 0
  }
  return ticks / ticksPerSecond
}
