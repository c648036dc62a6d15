import { availableParallelism } from 'node:os'
import { cpuOfMachine, type CpuOfParts } from './cpu-of-parts.ts'
import { limited, type Verdict } from './verdict.ts'

/** The processor time used up to one moment, in seconds. */
export type Usage = {
  readonly at: number
  readonly parts: CpuOfParts
  /** By this benchmark itself, which creates the jobs and watches them. */
  readonly bench: number
  readonly machine: number
}

/** The time that two otherwise idle cores have for each job at the required rate. */
const limitSeconds = (2 * 60) / 60

export function usageWith(parts: CpuOfParts | undefined): Usage | undefined {
  const machine = cpuOfMachine()
  if (parts === undefined || machine === undefined) return undefined
  const { user, system } = process.cpuUsage()
  return { at: performance.now() / 1_000, parts, bench: (user + system) / 1e6, machine }
}

export type Spent = {
  /** The number of cores that other processes used meanwhile, on average. */
  readonly othersCores: number
  readonly lines: readonly string[]
  readonly verdict: Verdict
}

const names: Record<keyof CpuOfParts, string> = {
  programs: 'ffmpeg and ffprobe',
  media: 'media worker',
  workerd: 'workerd: Worker, D1, R2, queues',
  host: 'host of the Worker: log lines',
  start: 'npm start',
}

/** The processor time of the jobs between two moments. Other work on the machine hardly affects it. */
export function spentBetween(before: Usage, after: Usage, jobs: number): Spent {
  const total = (parts: CpuOfParts) => Object.values(parts).reduce((sum, part) => sum + part, 0)
  const service = total(after.parts) - total(before.parts)
  const bench = after.bench - before.bench
  const others = after.machine - before.machine - service - bench
  const othersCores = Math.max(0, others / (after.at - before.at))
  const perJob = service / jobs
  const row = (name: string, seconds: number) => `  ${name.padEnd(34)}${seconds.toFixed(3)} s`
  const keys = ['programs', 'media', 'workerd', 'host', 'start'] as const
  const text = `  all of it: ${perJob.toFixed(3)} s, ${(perJob / limitSeconds).toFixed(2)} of what two cores have`
  return {
    othersCores,
    lines: [
      'processor time a job',
      ...keys.map((key) => row(names[key], (after.parts[key] - before.parts[key]) / jobs)),
      `others used ${othersCores.toFixed(2)} of ${availableParallelism()} cores meanwhile, this benchmark ${row('', bench / jobs).trim()} a job`,
    ],
    verdict: limited(text, `${limitSeconds.toFixed(2)} s`, perJob <= limitSeconds),
  }
}
