import { membersOfGroup, readProc } from '../../scripts/machine/process-table.ts'

/** USER_HZ, which is 100 wherever Node runs. */
const ticksPerSecond = 100

/** Processor time of a process group so far, with that of the children it has waited for; undefined without /proc. */
export function cpuOfGroup(group: number): number | undefined {
  if (process.platform !== 'linux') return undefined
  let ticks = 0
  for (const { pid } of membersOfGroup(group)) {
    const text = readProc(`/proc/${pid}/stat`) ?? ''
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    // utime, stime, cutime, cstime
    for (const field of fields.slice(11, 15)) ticks += Number(field)
  }
  return ticks / ticksPerSecond
}
