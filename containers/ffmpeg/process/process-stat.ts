/** What the kernel says about a process in `/proc/<pid>/stat`. */
export type ProcessStat = {
  readonly name: string
  /** It has ended, but its parent has not yet read its exit code. */
  readonly isDead: boolean
  readonly parent: number
  readonly group: number
  /** Its own processor time; `childTicks` is that of the children that it has waited for. */
  readonly ticks: number
  readonly childTicks: number
  /** Its start, counted from the start of the machine; together with its id this identifies a process. */
  readonly startTicks: number
  readonly residentPages: number
}

/** USER_HZ, which is 100 wherever Node runs: https://man7.org/linux/man-pages/man7/time.7.html */
export const ticksPerSecond = 100

/**
 * https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html. The name may contain blanks and brackets, so this reads
 * the fields after its end. Undefined for a line that ends too soon.
 */
export function parseProcessStat(text: string): ProcessStat | undefined {
  const end = text.lastIndexOf(')')
  const [state, ...fields] = text.slice(end + 2).split(' ')
  const numbers = fields.map(Number)
  const [parent, group, startTicks, residentPages] = [0, 1, 18, 20].map((i) => numbers[i])
  if (parent === undefined || group === undefined) return undefined
  if (startTicks === undefined || residentPages === undefined) return undefined
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = numbers.slice(10, 14)
  const threads = numbers[16] ?? 0
  return {
    name: text.slice(text.indexOf('(') + 1, end),
    // The first thread may be dead while others are still ending: until then they hold its files and ports.
    isDead: state === 'X' || (state === 'Z' && threads <= 1),
    parent,
    group,
    ticks: user + system,
    childTicks: childUser + childSystem,
    startTicks,
    residentPages,
  }
}
