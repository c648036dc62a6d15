import type { UploadedOutput, VideoMetadata } from '../../worker/contract/job/report.ts'
import type { MediaFacts } from '../timeline/media-facts.ts'
import { addCaptions } from './render/add-captions.ts'
import { analyzeFiles } from './hear/analyze-files.ts'
import { beginInsights, type InsightResults } from './hear/begin-insights.ts'
import {
  addThumbnail,
  thumbnailWarnings,
  uploadFinished,
  type Finished,
} from './render/finish-output.ts'
import type { FetchedFiles, InPhase, JobContext, Success } from './job-context.ts'
import { cutFirst, hearFirst } from './hear/hear-first.ts'
import { measureJob, type MeasuredJob } from './measure/measure-job.ts'
import { needsWordsFirst } from './hear/needs-words-first.ts'
import { planJob, renderOutput, type Sources } from './render/render-output.ts'
import { TextFonts } from './measure/text-fonts.ts'
import { withWallClock } from './wall-clock.ts'
import { sharesOf } from './report/whole-percent.ts'

/**
 * Does everything that reads or makes the files of a job, from the fetched inputs to the uploaded results. It runs in a
 * process of its own: whatever a file makes it do, that process can be ended.
 */
export async function workThrough(context: JobContext, files: FetchedFiles): Promise<Success> {
  const { trace, reporter, signal } = context
  const shares = sharesOf(context.job.options)
  const phase: InPhase = async (name, work) => {
    signal.throwIfAborted()
    reporter.progress(name, shares[name].from)
    return trace.phase(name, work)
  }
  const fonts = new TextFonts(context.tools.folder, files.beside)
  if (context.job.options.analyzeOnly) {
    const found = await analyzeFiles(context, { files, fonts }, phase)
    return { type: 'succeeded', ...found, warnings: found.warnings.slice(0, 200) }
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
