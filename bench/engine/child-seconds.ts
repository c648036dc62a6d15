import { ticksPerSecond } from '../../containers/ffmpeg/process-stat.ts'
import { readStat } from '../../scripts/machine/process-table.ts'

/**
 * Processor time of every process that this one started and saw end; undefined where there is no /proc. What else the
 * machine does moves the clock by half, and this by a few hundredths.
 */
export function childSeconds(): number | undefined {
  const stat = readStat('self')
  return stat && stat.childTicks / ticksPerSecond
}
