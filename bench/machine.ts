import { arch, availableParallelism, cpus, loadavg, platform } from 'node:os'
import { ticksPerSecond } from '../containers/ffmpeg/process/process-stat.ts'
import { allPids, readProc, readStat } from '../scripts/machine/process-table.ts'
import { StopWithMessage } from '../scripts/machine/stop-with-message.ts'

/** Describes in one line the machine that the figures come from. */
export function describeMachine(): string {
  return [
    `${availableParallelism()} cores${cpus()[0] ? ` of ${cpus()[0]?.model.trim()}` : ''}`,
    `${platform()} ${arch()}`,
    `Node ${process.versions.node}`,
    `load ${loadavg()[0]?.toFixed(1) ?? '?'}`,
  ].join(', ')
}

/**
 * Processor time of all child processes that have ended. Other work on the machine changes elapsed time by half, but processor
 * time by a few hundredths only.
 */
function childSeconds(): number {
  const stat = readStat('self')
  if (!stat)
    throw new StopWithMessage('Processor time is read from /proc: this runs on Linux only.')
  return stat.childTicks / ticksPerSecond
}

type Timed<Made> = {
  made: Made
  seconds: number
  /**
   * Seconds of processor time of this process and of its programs that have ended: on a busy machine they say more than elapsed
   * time.
   */
  processor: number
}

export async function timed<Made>(work: () => Promise<Made>): Promise<Timed<Made>> {
  const [startedAt, before, own] = [performance.now(), childSeconds(), process.cpuUsage()]
  const made = await work()
  const { user, system } = process.cpuUsage(own)
  const processor = childSeconds() - before + (user + system) / 1e6
  return { made, seconds: (performance.now() - startedAt) / 1000, processor }
}

type ProcessUse = {
  name: string
  /** Includes child processes that have ended. */
  cpuSeconds: number
  /** The proportional share: a page that several processes share is counted once in the sum. */
  mebibytes: number
  residentMebibytes: number
}

/** What a process and each of its descendants use, without this process. Linux only. */
export function useBelow(ancestor: number): ProcessUse[] {
  const parents = new Map(allPids().map((pid) => [pid, readStat(pid)?.parent]))
  const isBelow = (pid: number): boolean => {
    if (pid === ancestor) return true
    const parent = parents.get(pid)
    return parent !== undefined && parent > 1 && isBelow(parent)
  }
  const pids = [...parents.keys()]
    .filter((pid) => pid !== process.pid && isBelow(pid))
    .sort((a, b) => a - b)
  if (pids.length === 0) {
    throw new StopWithMessage('Processes are read from /proc: this runs on Linux only.')
  }
  return pids.map(useOf)
}

function useOf(pid: number): ProcessUse {
  const rollup = readProc(`/proc/${pid}/smaps_rollup`) ?? ''
  const mebibytes = (field: string) =>
    Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(rollup)?.[1] ?? 0) / 1024
  const { ticks = 0, childTicks = 0 } = readStat(pid) ?? {}
  return {
    name: nameOf(pid),
    cpuSeconds: (ticks + childTicks) / ticksPerSecond,
    mebibytes: mebibytes('Pss'),
    residentMebibytes: mebibytes('Rss'),
  }
}

const names: readonly [part: string, name: string][] = [
  ['workerd serve', 'workerd: Worker, D1, R2, queues'],
  ['scripts/host/main.ts', 'host of the Worker'],
  ['containers/main.ts', 'media worker'],
  ['containers/job-process.ts', 'media worker: process of a job'],
  ['scripts/start.ts', 'npm start: supervisor'],
  ['scripts/bootstrap.mjs', 'npm start: launcher'],
]

function nameOf(pid: number): string {
  const command = (readProc(`/proc/${pid}/cmdline`) ?? '').replaceAll('\0', ' ').trim()
  return names.find(([part]) => command.includes(part))?.[1] ?? command.slice(0, 60)
}
