import type { JobRecord } from '../../worker/contract/job/job-record.ts'
import { quantile } from '../requests/figures.ts'
import type { Created, Single } from './drive-jobs.ts'
import type { LogLine } from './started-service.ts'
import { limited, timed, type Verdict } from './verdict.ts'

const limits = { perMinute: 60, overheadMs: 1_500 }

type Command = JobRecord['attempts'][number]['commands'][number]

function commandMs(job: JobRecord, wanted: (command: Command) => boolean = () => true): number {
  const commands = job.attempts.flatMap((attempt) => attempt.commands)
  return commands.filter(wanted).reduce((sum, { durationMs }) => sum + durationMs, 0)
}

/** Commands that only measure a file write to standard output. */
const isRender = ({ program, args }: Command) => program === 'ffmpeg' && args.at(-1) !== '-'

/** Judges single jobs: the time that the service adds to the programs it runs. */
export function judgeSingles(singles: readonly Single[], othersCores: number): Verdict[] {
  const overheads = singles.map(({ tookMs, job }) => tookMs - commandMs(job, isRender))
  const looks = singles.map(({ job }) => commandMs(job, (command) => !isRender(command)))
  const took = singles.map(({ tookMs }) => tookMs)
  const overhead = quantile(overheads, 0.5)
  const text =
    `one job alone: ${seconds(quantile(took, 0.5))} from POST to end, ` +
    `${seconds(overhead)} of it not rendering (programs that measure, side by side: ${seconds(quantile(looks, 0.5))})`
  const kept = overhead < limits.overheadMs
  return [timed(text, `below ${seconds(limits.overheadMs)}`, { kept, othersCores })]
}

/** Judges all jobs that were created at once. The log is that of the whole run. */
export function judgeLoad(
  created: Created,
  jobs: readonly JobRecord[],
  { log, othersCores }: { log: readonly LogLine[]; othersCores: number },
): Verdict[] {
  const succeeded = jobs.filter(({ status }) => status === 'succeeded').length
  const once = jobs.filter(({ attempts }) => attempts.length === 1).length
  const faults = log.filter(({ status = 0 }) => status >= 500)
  const dead = log.filter(({ event }) => event === 'a dispatch was dead-lettered').length
  const accepted = created.statuses.filter((status) => status === 202).length
  const all = created.statuses.length
  const perMinute = (jobs.length / spanMs(jobs)) * 60_000
  return [
    limited(`${accepted} of ${all} creates accepted`, 'all', accepted === all),
    limited(`${succeeded} of ${jobs.length} jobs succeeded`, 'all', succeeded === jobs.length),
    limited(`${once} of them in one attempt`, 'all', once === jobs.length),
    limited(`${faults.length} answers of 5xx`, 'none', faults.length === 0),
    limited(`${dead} dead letters`, 'none', dead === 0),
    timed(`${perMinute.toFixed(1)} jobs per minute`, `at least ${limits.perMinute}`, {
      kept: perMinute >= limits.perMinute,
      othersCores,
    }),
  ]
}

/** Figures that are not judged, but show where the time goes. */
export function loadFigures(created: Created, jobs: readonly JobRecord[]): string[] {
  const attempts = jobs.flatMap((job) => job.attempts)
  const held = attempts.map(({ startedAt, finishedAt }) => between(startedAt, finishedAt))
  const waits = jobs.map(({ createdAt, startedAt }) => between(createdAt, startedAt))
  const busy = held.reduce((sum, ms) => sum + ms, 0) / spanMs(jobs)
  const commands = jobs.map((job) => commandMs(job))
  const runs = attempts.map((attempt) => attempt.commands.length)
  return [
    `created in ${seconds(created.tookMs)}`,
    `queue to start: median ${seconds(quantile(waits, 0.5))}, p95 ${seconds(quantile(waits, 0.95))}`,
    `an attempt: median ${seconds(quantile(held, 0.5))}, its ${quantile(runs, 0.5)} programs ${seconds(quantile(commands, 0.5))}`,
    `jobs held at a time, on average: ${busy.toFixed(2)}`,
  ]
}

/** The time from the first create to the last end. */
function spanMs(jobs: readonly JobRecord[]): number {
  const first = Math.min(...jobs.map(({ createdAt }) => Date.parse(createdAt)))
  const last = Math.max(...jobs.map(({ finishedAt }) => Date.parse(finishedAt ?? '')))
  return last - first
}

function between(from: string, to: string | null): number {
  return Date.parse(to ?? '') - Date.parse(from)
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`
}
