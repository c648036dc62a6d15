import { membersOfGroup, readProc } from '../../scripts/machine/process-table.ts'

/** USER_HZ, which is 100 wherever Node runs: https://man7.org/linux/man-pages/man7/time.7.html */
export const ticksPerSecond = 100

/**
 * Processor time of a process group so far; undefined where there is no /proc. Unlike the clock on the wall it hardly
 * minds what else the machine does.
 */
export function cpuSecondsOf(group: number): number | undefined {
  if (process.platform !== 'linux') return undefined
  let ticks = 0
  for (const { pid } of membersOfGroup(group)) {
    const text = readProc(`/proc/${pid}/stat`) ?? ''
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    ticks += Number(fields[11] ?? 0) + Number(fields[12] ?? 0)
  }
  return ticks / ticksPerSecond
}
