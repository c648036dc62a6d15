import { readProc } from '../../scripts/machine/process-table.ts'
import { ticksPerSecond } from '../requests/cpu-time.ts'

/**
 * Processor time of every process that this one started and saw end; undefined where there is no /proc. What else the
 * machine does moves the clock by half, and this by a few hundredths.
 */
export function childSeconds(): number | undefined {
  const text = process.platform === 'linux' ? readProc('/proc/self/stat') : undefined
  if (text === undefined) return undefined
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond
}
