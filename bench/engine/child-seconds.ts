import { ticksPerSecond } from '../../containers/ffmpeg/process/process-stat.ts'
import { readStat } from '../../scripts/machine/process-table.ts'

/**
 * Processor time of all child processes that have ended; undefined without /proc. Other work on the machine changes
 * elapsed time by half, but this only by a few hundredths.
 */
export function childSeconds(): number | undefined {
  const stat = readStat('self')
  return stat && stat.childTicks / ticksPerSecond
}
