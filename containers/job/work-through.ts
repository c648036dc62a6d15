import { defined } from '../../worker/contract/defined.ts'
import { warningsOfResults } from '../errors/few-warnings.ts'
import type { WorkDone } from '../../worker/contract/job/paces.ts'
import type { UploadedOutput, VideoMetadata } from '../../worker/contract/job/report.ts'
import type { MediaFacts } from '../timeline/media-facts.ts'
import { cutsWords } from '../sound/sound-request.ts'
import type { Cut } from './cut/cut-footage.ts'
import { bytesWork } from './foresee/foresee-bytes.ts'
import { analyzeFiles } from './analyze-files.ts'
import { beginInsights, type InsightResults } from './hear/begin-insights.ts'
import { hearWords, unheard } from './hear/hear-words.ts'
import { needsWordsFirst } from './needs-words-first.ts'
import type { Fetched, InPhase, JobContext, Success } from './job-context.ts'
import { tellScenes } from './measure/follow-people.ts'
import { measureJob } from './measure/measure-job.ts'
import { storeTranslations, translateCaptions } from './plan/translate-captions.ts'
import { thumbnailWarnings, uploadOutputs } from './render/finish-output.ts'
import { takeStills } from './check/take-stills.ts'
import { cutResults, type CutResults } from './outputs/cut-clips.ts'
import { resultsWithChapters } from './outputs/film-chapters.ts'
import { planResults, resultsAhead } from './outputs/plan-results.ts'
import { renderResults, type RenderedResults } from './outputs/render-results.ts'
import { thousandths } from '../numbers/thousandths.ts'

/**
 * Does everything that reads or makes the files of a job, from the fetched inputs to the uploaded results. It runs in a process
 * of its own: whatever a hostile file makes it do, that process can be ended.
 */
export async function workThrough(context: JobContext, fetched: Fetched): Promise<Success> {
  const phase = phasesOf(context)
  if (context.job.options.analyzeOnly) return analyzeFiles(context, fetched, phase)
  const results = await withTranslations(await measureAndCut(context, fetched, phase))
  const planned = await planResults(results)
  const { cut } = planned
  context.reporter.expect(resultsAhead(planned))
  const { transcription } = cut
  const spoken = { ...cut.spoken, transcription, moments: planned.suggested?.moments }
  const insights = beginInsights(cut.context, spoken, planned.seconds)
  try {
    const rendered = await phase('rendering', async () =>
      withStills(await resultsWithChapters(await renderResults(planned), insights.moments)),
    )
    const { made, first, stills, seconds: durationSeconds } = rendered
    const files = made.flatMap((one) => one.files)
    const [uploaded, found] = await Promise.all([
      phase('uploading', async () => [
        ...(await uploadOutputs(cut.context, files, { thumbnail: first?.thumbnail, stills })),
        ...(await storeTranslations(cut)),
      ]),
      insights.finish({ video: first?.video, durationSeconds }),
    ])
    return success(rendered, uploaded, found)
  } finally {
    await insights.stop()
  }
}

async function withTranslations(results: CutResults): Promise<CutResults> {
  const cut = await translateCaptions(results.cut)
  const clips = new Map<string, Cut>()
  for (const [name, clip] of results.clips) clips.set(name, await translateCaptions(clip))
  return { ...results, cut, clips }
}

/** The same results, with stills of the places that a check doubts. */
async function withStills(results: RenderedResults) {
  const looked = results.made.map(({ film, told }) => ({ film, checks: told.checks }))
  const { checks, stills } = await takeStills(results.cut.context, looked)
  const made = results.made.map((one, i) => ({ ...one, told: { ...one.told, checks: checks[i] } }))
  return { ...results, made, stills }
}

/** The title of a suggested clip, and where it lies in the source. */
function suggestedAs(name: string, suggested: CutResults['suggested']) {
  const output = suggested?.outputs.find((one) => one.name === name)
  const title = suggested?.titles.get(name)
  return output && { clip: output.clip, ...(title !== undefined && { title }) }
}

function phasesOf({ trace, reporter, signal }: JobContext): InPhase {
  return async (name, work) => {
    signal.throwIfAborted()
    reporter.progress(name, 0)
    return trace.phase(name, work)
  }
}

/** Measures and cuts. Cutting counts towards the phase for which it waits: transcribing, if words decide what is cut. */
async function measureAndCut(
  context: JobContext,
  fetched: Fetched,
  phase: InPhase,
): Promise<CutResults> {
  const measure = async () => measureJob(context, fetched)
  if (!needsWordsFirst(context.job.options)) {
    return phase('measuring', async () => cutResults(unheard(await measure())))
  }
  const measured = await phase('measuring', measure)
  const isHeard = !measured.replacement || cutsWords(context.job.options)
  return phase('transcribing', async () =>
    cutResults(isHeard ? await hearWords(measured) : unheard(measured)),
  )
}

function success(
  results: RenderedResults,
  uploaded: readonly UploadedOutput[],
  { transcript, analysis, moments, ...found }: InsightResults,
): Success {
  const { cut, made, first, isNamed, suggested } = results
  const { context, covered } = cut
  const checks = made.find(({ told }) => told.kind === 'final')?.told.checks
  const reframed = tellScenes(cut.clips, context.job.options)
  const warnings = [
    ...(isNamed
      ? warningsOfResults(made.map(({ told }) => told))
      : made.flatMap(({ told }) => told.warnings)),
    ...thumbnailWarnings(context, uploaded),
    ...found.warnings,
  ]
  return {
    type: 'succeeded',
    outputs: [...uploaded, ...found.outputs],
    ...(isNamed && {
      named: made.map(({ told }) => ({ ...told, ...suggestedAs(told.name, suggested) })),
    }),
    worked: [...results.worked, ...(isNamed ? [] : bytesWritten(results))],
    ...(first && { videoMetadata: metadataOf(first.video.facts) }),
    ...defined({ checks: checks && [...checks], covered, reframed, transcript, analysis, moments }),
    warnings: warnings.slice(0, 200),
  }
}

/** The bytes of the film in proportion to those that its plan expected. */
function bytesWritten({ films, first }: RenderedResults): WorkDone[] {
  return films.flatMap(({ planned: { plan, clips, context } }) => {
    const { compressionQuality: quality, maxBytes } = context.job.options
    const ms = first?.video.facts.sizeBytes
    return ms === undefined ? [] : [{ ...bytesWork({ plan, clips, quality, maxBytes }), ms }]
  })
}

function metadataOf({ video, durationSeconds, sizeBytes }: MediaFacts): VideoMetadata {
  return {
    width: video.width,
    height: video.height,
    duration: thousandths(durationSeconds),
    fps: thousandths(video.averageFps),
    sizeInBytes: sizeBytes,
  }
}
