import { asksForTranscript } from '../../worker/contract/options.ts'
import type { UploadedOutput, VideoMetadata } from '../../worker/contract/report.ts'
import type { MediaFacts } from '../timeline/media-facts.ts'
import type { ToolContext } from '../ffmpeg/run-tool.ts'
import { stackOf } from '../errors/log.ts'
import { JobStop, toJobError } from '../errors/job-error.ts'
import { addCaptions } from './add-captions.ts'
import { analyzeFiles, withoutVideo } from './analyze-files.ts'
import { beginInsights, type InsightResults } from './begin-insights.ts'
import { recordTrace, type TraceRecorder } from './attempt-trace.ts'
import { fetchSources, type FetchedFiles } from './fetch-sources.ts'
import { addThumbnail, thumbnailWarnings, uploadFinished, type Finished } from './finish-output.ts'
import type { InPhase, JobContext, JobRun, StartedJob } from './job-context.ts'
import { makeJobFolder, removeJobFolder } from './job-folder.ts'
import { cutFirst, hearFirst } from './hear-first.ts'
import { logProgress } from './log-progress.ts'
import { measureJob, type MeasuredJob } from './measure-job.ts'
import { needsWordsFirst } from './needs-words-first.ts'
import { planJob, renderOutput, type Sources } from './render-output.ts'
import { Reporter, type FinalReport } from './send-report.ts'
import { TextFonts } from './text-fonts.ts'
import { TimeLeft } from './time-left.ts'
import { untilAborted } from '../errors/until-aborted.ts'
import { leastWallMs, withWallClock } from './wall-clock.ts'
import { sharesOf, type InsightName } from './whole-percent.ts'

/** A process that is told to stop has only seconds left. */
const releasePatienceMs = 2_000

/** How a run ended; the report adds the trace. */
type WithoutTrace<R> = R extends FinalReport ? Omit<R, 'trace'> : never
type Ending = WithoutTrace<FinalReport>
type Success = Extract<Ending, { type: 'succeeded' }>

/** Starts one job, which ends with its last report. */
export function startJob(run: JobRun): StartedJob {
  const { job, log, controller } = run
  const trace = recordTrace()
  const left = new TimeLeft()
  const tell = run.settings.LOG_PROGRESS ? logProgress(log) : undefined
  const reporter = new Reporter({
    job,
    log,
    insights: insightsAsked(job),
    onStop: () => controller.abort(new JobStop('stopped')),
    onProgress: (phase, percent) => {
      left.hear(phase, percent)
      tell?.(phase, percent)
    },
  })
  const ending = attempt(run, trace, reporter).catch((error: unknown) => endingOf(error, run))
  const worked = ending.then(() => undefined)
  const done = ending
    .then(async (how) => tellEnding(run, how, { trace, reporter }))
    .catch((error: unknown) =>
      log('error', 'A job ended without a report', { fault: stackOf(error) }),
    )
  return {
    worked,
    done,
    trace: () => trace.finish(),
    msLeft: () => left.ms,
    tellPlace: (place) => reporter.slotFree(place !== 'slot'),
  }
}

async function tellEnding(
  run: JobRun,
  ending: Ending | undefined,
  { trace, reporter }: { trace: TraceRecorder; reporter: Reporter },
): Promise<void> {
  if (ending === undefined) reporter.close()
  else {
    const patienceMs = ending.type === 'released' ? releasePatienceMs : undefined
    await reporter.finish({ ...ending, trace: trace.finish() }, patienceMs)
  }
  run.log('info', 'Job ended', { outcome: ending?.type ?? 'stopped' })
}

async function attempt(run: JobRun, trace: TraceRecorder, reporter: Reporter): Promise<Ending> {
  const folder = await makeJobFolder(run.settings.SPOOL_WORK_DIR, run.confinement.user)
  try {
    const { signal } = run.controller
    const tools = toolsFor(run, folder, trace)
    return await workThrough({ ...run, signal, tools, trace, reporter })
  } finally {
    await removeJobFolder(folder).catch((error: unknown) =>
      run.log('error', 'The job folder stayed behind', { fault: stackOf(error) }),
    )
  }
}

function toolsFor(
  { settings, controller, confinement }: JobRun,
  folder: string,
  trace: TraceRecorder,
): ToolContext {
  return {
    folder,
    signal: controller.signal,
    confinement,
    limits: {
      stallMs: settings.STALL_SECONDS * 1_000,
      wallMs: leastWallMs,
      memoryBytes: settings.FFMPEG_MEMORY_BYTES,
    },
    threads: settings.FFMPEG_THREADS,
    maxPixels: settings.MAX_PIXELS,
    onCommand: (command) => trace.command(command),
  }
}

/** Sends no report for a job that was canceled or replaced: the Worker knows already, or does not want one. */
function endingOf(error: unknown, { log, controller }: JobRun): Ending | undefined {
  const stop: unknown = controller.signal.aborted ? controller.signal.reason : error
  if (stop instanceof JobStop) {
    return stop.stopReason === 'shutdown' ? { type: 'released' } : undefined
  }
  const failure = toJobError(error)
  const { reason, retryable } = failure
  log(reason === 'internal' ? 'error' : 'warn', 'Job failed', { reason, fault: stackOf(failure) })
  return { type: 'failed', reason, message: failure.message.slice(0, 500), retryable }
}

async function workThrough(asked: JobContext): Promise<Success> {
  const { analyzeOnly } = asked.job.options
  const { job, warnings } = analyzeOnly ? withoutVideo(asked.job) : { job: asked.job, warnings: [] }
  const context = { ...asked, job }
  const { trace, reporter, signal } = context
  const shares = sharesOf(context.job.options)
  const phase: InPhase = async (name, work) => {
    signal.throwIfAborted()
    reporter.progress(name, shares[name].from)
    return trace.phase(name, work)
  }
  const files = await phase('fetching', async () => fetchSources(context))
  await waitForSlot(context)
  const fonts = new TextFonts(context.tools.folder, files.beside)
  if (analyzeOnly) {
    const found = await analyzeFiles(context, { files, fonts }, phase)
    const all = [...warnings, ...found.warnings].slice(0, 200)
    return { type: 'succeeded', ...found, warnings: all }
  }
  const prepared = await prepareSources(context, { files, fonts }, phase)
  const { measured } = prepared
  const sources = await addCaptions(measured, prepared.sources, { beside: files.beside, fonts })
  const plan = planJob(measured, sources)
  const insights = beginInsights(measured, sources, plan.durationSeconds)
  try {
    const finished = await phase('rendering', async () => {
      const begunAt = performance.now()
      const video = await renderOutput(measured, sources, plan)
      return addThumbnail(measured, video, performance.now() - begunAt)
    })
    const [outputs, found] = await Promise.all([
      phase('uploading', async () => uploadFinished(measured, finished)),
      insights.finish(finished.video),
    ])
    return success(context, finished, outputs, found)
  } finally {
    await insights.stop()
  }
}

/** Everything the plan is made from; `measured` is the context with time limits that fit these sources. */
async function prepareSources(
  context: JobContext,
  { files, fonts }: { files: FetchedFiles; fonts: TextFonts },
  phase: InPhase,
): Promise<{ sources: Sources; measured: JobContext }> {
  const { options } = context.job
  const inTime = ({ clips }: MeasuredJob): JobContext => ({
    ...context,
    tools: withWallClock(context.tools, clips, options.elements?.length ?? 0),
  })
  if (needsWordsFirst(options)) {
    const found = await phase('measuring', async () => measureJob(context, files, fonts))
    const measured = inTime(found)
    return {
      sources: await phase('transcribing', async () => hearFirst(measured, found)),
      measured,
    }
  }
  return phase('measuring', async () => {
    const found = await measureJob(context, files, fonts)
    const measured = inTime(found)
    return { sources: await cutFirst(measured, found), measured }
  })
}

/** Waits for a slot; records no phase if the sources came quickly and the job still has one. */
async function waitForSlot({ takeSlot, signal, trace }: JobContext): Promise<void> {
  const turn = takeSlot()
  if (turn) await trace.phase('waiting', async () => untilAborted(turn, signal))
}

function success(
  context: JobContext,
  { video: { facts, plan } }: Finished,
  outputs: readonly UploadedOutput[],
  { transcript, analysis, ...found }: InsightResults,
): Success {
  const warnings = [...plan.warnings, ...thumbnailWarnings(context, outputs), ...found.warnings]
  return {
    type: 'succeeded',
    outputs: [...outputs, ...found.outputs],
    videoMetadata: metadataOf(facts),
    warnings: warnings.slice(0, 200),
    ...(transcript && { transcript }),
    ...(analysis && { analysis }),
  }
}

function metadataOf({ video, durationSeconds, sizeBytes }: MediaFacts): VideoMetadata {
  const thousandths = (value: number): number => Math.round(value * 1_000) / 1_000
  return {
    width: video.width,
    height: video.height,
    duration: thousandths(durationSeconds),
    fps: thousandths(video.averageFps),
    sizeInBytes: sizeBytes,
  }
}

function insightsAsked({ options }: JobRun['job']): InsightName[] {
  if (options.analyzeOnly) return ['transcript']
  return [
    ...(asksForTranscript(options) ? (['transcript'] as const) : []),
    ...(options.enableAiAnalysis ? (['analysis'] as const) : []),
  ]
}
