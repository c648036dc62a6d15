import { type Log, stackOf } from '../errors/log.ts'
import { endOf, JobStop, releasePatienceMs } from '../errors/job-error.ts'
import { untilAborted } from '../errors/until-aborted.ts'
import { type TraceRecorder, recordTrace } from './report/attempt-trace.ts'
import { fetchSources } from './fetch/fetch-sources.ts'
import { hashesHeard, hashFetched } from './fetch/hash-fetched.ts'
import type { Fetched, JobRun, JobTold, StartedJob, Success } from './job-context.ts'
import { bytesIn } from './disk-room.ts'
import { inJobFolder, type FolderInUse } from './job-folder.ts'
import { type FinalReport, Reporter } from './report/send-report.ts'
import { TimeLeft } from './report/time-left.ts'
import { likenessOf } from './report/usual-error.ts'
import { wholeWork } from './report/work-ahead.ts'
import { fetchingWork } from './report/work-kinds.ts'
import type { Phase } from '../../worker/contract/video/video-state.ts'
import type { MediaJob } from '../../worker/contract/job/media-job.ts'
import { mostWorked } from '../../worker/contract/job/report.ts'
import { optionsSchema } from '../../worker/contract/options/options.ts'

/** How a run ended; the report adds the trace. */
type WithoutTrace<R> = R extends FinalReport ? Omit<R, 'trace'> : never
type JobEnding = WithoutTrace<FinalReport>
/** Starts one job, which ends with its last report. */
export function startJob(run: JobRun): StartedJob {
  const { job, log, controller } = run
  const trace = recordTrace()
  const left = new TimeLeft(job.paces, undefined, wholeWork(job.options), likenessOf(job.options))
  const tell = run.settings.LOG_PROGRESS ? logProgress(log) : undefined
  const reporter = new Reporter({
    job,
    log,
    onStop: () => controller.abort(new JobStop('stopped')),
    left,
    onProgress: (phase, percent) => tell?.(phase, percent),
  })
  const place: FolderInUse = { folder: undefined }
  const work = async (folder: string) => attempt(run, folder, { trace, reporter, left })
  const ending = inJobFolder(run, work, place).catch((error: unknown) => endingOf(error, run))
  const worked = ending.then(() => undefined)
  const done = ending
    .then(async (how) => tellEnding(run, withWork(how, left, trace), { trace, reporter }))
    .catch((error: unknown) =>
      log('error', 'A job ended without a report', { fault: stackOf(error) }),
    )
  return {
    worked,
    done,
    trace: () => trace.finish(),
    msLeft: () => left.certainMs,
    diskBytes: async () => (place.folder === undefined ? 0 : bytesIn(place.folder)),
    tellPlace: (place) => reporter.slotFree(place !== 'slot'),
  }
}

/** Adds the work done, from which the times of later jobs are forecast. */
function withWork(
  ending: JobEnding | undefined,
  left: TimeLeft,
  trace: TraceRecorder,
): JobEnding | undefined {
  if (ending?.type !== 'succeeded') return ending
  const { worked = [] } = ending
  return { ...ending, worked: [...left.done(trace.finish()), ...worked].slice(0, mostWorked) }
}

async function tellEnding(
  run: JobRun,
  ending: JobEnding | undefined,
  { trace, reporter }: { trace: TraceRecorder; reporter: Reporter },
): Promise<void> {
  // Logged before the last report: the report may end the job's own container, and the log with it.
  run.log('info', 'Job ended', { outcome: ending?.type ?? 'stopped' })
  if (ending === undefined) reporter.close()
  else {
    const patienceMs = ending.type === 'released' ? releasePatienceMs : undefined
    await reporter.finish({ ...ending, trace: trace.finish() }, patienceMs)
  }
}

type Reporting = { readonly trace: TraceRecorder; readonly reporter: Reporter }

async function attempt(
  run: JobRun,
  folder: string,
  { left, ...hearing }: Reporting & { left: TimeLeft },
): Promise<JobEnding> {
  const { analyzeOnly } = run.job.options
  const { job, warnings } = analyzeOnly ? withoutVideo(run.job) : { job: run.job, warnings: [] }
  const asked = { ...run, job }
  const files = await fetchInto(folder, asked, { ...hearing, left })
  await waitForSlot(run, hearing.trace)
  const done = await workApart(folder, { run: asked, files, ...hearing })
  return { ...done, warnings: [...warnings, ...done.warnings].slice(0, 200) }
}

async function fetchInto(
  folder: string,
  { job, settings, engine, controller: { signal } }: JobRun,
  { trace, reporter, left }: Reporting & { left: TimeLeft },
): Promise<Fetched> {
  signal.throwIfAborted()
  reporter.progress('fetching', 0)
  return trace.phase('fetching', async () => {
    const files = await fetchSources({ job, settings, signal, reporter, folder })
    left.expect({ fetching: fetchingWork(await bytesIn(folder)) })
    if (engine === undefined) return files
    const hashed = await hashFetched({ job, folder, signal }, files)
    await reporter.fetched({ engine, files: hashed })
    // The video may have ended with an earlier result for the same files.
    signal.throwIfAborted()
    return { ...files, hashes: hashesHeard(hashed, files) }
  })
}

/** Waits for a slot; records no phase if the sources came quickly and the job still has one. */
async function waitForSlot({ takeSlot, controller }: JobRun, trace: TraceRecorder): Promise<void> {
  const turn = takeSlot()
  if (turn) await trace.phase('waiting', async () => untilAborted(turn, controller.signal))
}

/** Has a process work on the fetched files, and passes on what it reports. */
async function workApart(
  folder: string,
  { run, files, trace, reporter }: Reporting & { readonly run: JobRun; readonly files: Fetched },
): Promise<Success> {
  const { job, log, processes, controller } = run
  const phases = new Map<number, PromiseWithResolvers<void>>()
  const onTold = (told: JobTold): void => {
    switch (told.type) {
      case 'progress':
        return reporter.progress(told.phase, told.share, told.again)
      case 'ahead':
        return reporter.expect(told.ahead)
      case 'insight':
        return reporter.insight(told.name, told.state)
      case 'phase': {
        if (told.name === 'over') return phases.get(told.id)?.resolve()
        const over = Promise.withResolvers<void>()
        phases.set(told.id, over)
        void trace.phase(told.name, async () => over.promise)
        return
      }
      case 'command':
        return trace.command(told.command)
      case 'processor':
        return trace.processor(told.ms)
      case 'plan':
        return trace.plan(told.plan)
      case 'encoded':
        return
      case 'log':
        log(told.level, told.message, told.fields)
    }
  }
  try {
    const { signal } = controller
    const done = await processes.work({ task: { job, files }, folder, signal, onTold })
    if (done.type !== 'succeeded') throw new Error('A job ended as a part of one')
    return done
  } finally {
    for (const over of phases.values()) over.resolve()
  }
}

function endingOf(error: unknown, { log, controller }: JobRun): JobEnding | undefined {
  const failure = endOf(error, controller.signal)
  if (failure === undefined) return undefined
  if (failure === 'released') return { type: 'released' }
  const { reason, retryable, proof } = failure
  log(reason === 'internal' ? 'error' : 'warn', 'Job failed', { reason, fault: stackOf(failure) })
  return { type: 'failed', reason, message: failure.message.slice(0, 500), retryable, ...proof }
}

const everyMs = 500

/** Logs the progress of a job for a terminal: each phase, and a percentage at most twice a second. */
function logProgress(log: Log): (phase: Phase, percent: number) => void {
  let last: { phase: Phase; percent: number; at: number } | undefined
  return (phase, percent) => {
    const at = performance.now()
    if (last?.phase === phase && (percent === last.percent || at - last.at < everyMs)) return
    last = { phase, percent, at }
    log('info', 'Job progress', { phase, percent })
  }
}

/** Options that matter although no video is made, or that do not concern one. */
const stillRead: readonly string[] = [
  'analyzeOnly',
  'combine',
  'removeSegments',
  'keepSegments',
  'trim',
  'enableTranscription',
  'speakers',
  'vocabulary',
  'suggestClips',
  'chapters',
  'bleep',
  'bleepWith',
]

/**
 * The job with only those options that matter if no video is made, so that nothing else is fetched, measured, or changes the
 * transcript. Warns about the others.
 */
export function withoutVideo(job: MediaJob): { job: MediaJob; warnings: string[] } {
  const read = Object.entries(job.options).filter(([name]) => stillRead.includes(name))
  const options = optionsSchema.parse({ ...Object.fromEntries(read), enableTranscription: true })
  const usual: Readonly<Record<string, unknown>> = optionsSchema.parse({})
  const idle = Object.entries(job.options)
    .filter(([name, value]) => !stillRead.includes(name) && !isUsual(value, usual[name]))
    .map(([name]) => name)
  const warnings =
    idle.length === 0
      ? []
      : [`analyzeOnly: no video was made, so these did nothing: ${idle.join(', ')}.`]
  return {
    job: { ...job, options, elementSources: undefined, beside: undefined },
    warnings,
  }
}

function isUsual(value: unknown, usual: unknown): boolean {
  return value === usual || (Array.isArray(value) && value.length === 0)
}
