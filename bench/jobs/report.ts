import type { JobRecord } from '../../worker/contract/job-record.ts'
import { quantile } from '../requests/figures.ts'
import type { Created, Single } from './drive-jobs.ts'
import type { LogLine, StartedService } from './started-service.ts'

export type Verdict = { text: string; kept: boolean }

const limits = { perMinute: 60, overheadMs: 1_500 }

type Command = JobRecord['attempts'][number]['commands'][number]

function commandMs(job: JobRecord, wanted: (command: Command) => boolean = () => true): number {
  const commands = job.attempts.flatMap((attempt) => attempt.commands)
  return commands.filter(wanted).reduce((sum, { durationMs }) => sum + durationMs, 0)
}

const isFfmpeg = ({ program }: Command) => program === 'ffmpeg'

/** One job alone in the service: what it takes beside the programs that it is about. */
export function judgeSingles(singles: readonly Single[]): Verdict[] {
  const overheads = singles.map(({ tookMs, job }) => tookMs - commandMs(job, isFfmpeg))
  const probes = singles.map(({ job }) => commandMs(job, (command) => !isFfmpeg(command)))
  const took = singles.map(({ tookMs }) => tookMs)
  const overhead = quantile(overheads, 0.5)
  const text =
    `one job alone: ${seconds(quantile(took, 0.5))} from POST to end, ` +
    `${seconds(overhead)} of it not ffmpeg (ffprobe ${seconds(quantile(probes, 0.5))})`
  return [limited(text, `below ${seconds(limits.overheadMs)}`, overhead < limits.overheadMs)]
}

/** All that were created at once. Their log is the whole run's. */
export function judgeLoad(
  created: Created,
  jobs: readonly JobRecord[],
  log: readonly LogLine[],
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
    limited(
      `${perMinute.toFixed(1)} jobs per minute`,
      `at least ${limits.perMinute}`,
      perMinute >= limits.perMinute,
    ),
  ]
}

/** Not judged: they say where the time goes. */
export function loadFigures(created: Created, jobs: readonly JobRecord[]): string[] {
  const attempts = jobs.flatMap((job) => job.attempts)
  const held = attempts.map(({ startedAt, finishedAt }) => between(startedAt, finishedAt))
  const waits = jobs.map(({ createdAt, startedAt }) => between(createdAt, startedAt))
  const busy = held.reduce((sum, ms) => sum + ms, 0) / spanMs(jobs)
  const commands = jobs.map((job) => commandMs(job))
  return [
    `created in ${seconds(created.tookMs)}`,
    `queue to start: median ${seconds(quantile(waits, 0.5))}, p95 ${seconds(quantile(waits, 0.95))}`,
    `an attempt: median ${seconds(quantile(held, 0.5))}, its programs ${seconds(quantile(commands, 0.5))}`,
    `jobs held at a time, on average: ${busy.toFixed(2)}`,
  ]
}

type Cpu = ReturnType<StartedService['cpuSeconds']>

/** On a busy machine the steadiest figure. The worker's is that of workerd and of wrangler. */
export function cpuLine(before: Cpu, after: Cpu, jobs: number): string {
  if (!before || !after) return 'processor time a job: not known on this system'
  const worker = (after.worker - before.worker) / jobs
  const media = (after.media - before.media) / jobs
  return `processor time a job: Worker ${worker.toFixed(2)} s, media worker with its programs ${media.toFixed(2)} s`
}

/** From the first create to the last end. */
function spanMs(jobs: readonly JobRecord[]): number {
  const first = Math.min(...jobs.map(({ createdAt }) => Date.parse(createdAt)))
  const last = Math.max(...jobs.map(({ finishedAt }) => Date.parse(finishedAt ?? '')))
  return last - first
}

function between(from: string, to: string | null): number {
  return Date.parse(to ?? '') - Date.parse(from)
}

function limited(what: string, limit: string, kept: boolean): Verdict {
  return { text: `${what}  limit ${limit}: ${kept ? 'ok' : 'below the limit'}`, kept }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`
}
