import type { Check } from '../../worker/contract/job/check.ts'
import type { Reframed, UploadedOutput, VideoMetadata } from '../../worker/contract/job/report.ts'
import type { MediaFacts } from '../timeline/media-facts.ts'
import type { Output } from '../../worker/contract/options/outputs/outputs.ts'
import { secondsLeft } from '../timeline/list-cuts.ts'
import { cutsWords } from '../sound/sound-request.ts'
import type { Cut } from './cut/cut-footage.ts'
import { bytesWork } from './foresee/foresee-bytes.ts'
import { filmWithChapters, outputsWithChapters } from './render/film-chapters.ts'
import { analyzeFiles } from './hear/analyze-files.ts'
import { beginInsights, type InsightResults } from './hear/begin-insights.ts'
import { hearWords, unheard } from './hear/hear-words.ts'
import { needsWordsFirst } from './needs-words-first.ts'
import type { Fetched, InPhase, JobContext, Success } from './job-context.ts'
import { tellScenes } from './measure/follow-people.ts'
import { measureJob } from './measure/measure-job.ts'
import { planJob } from './plan/plan-job.ts'
import { storeTranslations, translateCaptions } from './plan/translate-captions.ts'
import {
  addThumbnail,
  thumbnailWarnings,
  uploadFinished,
  uploadOutputs,
  type Finished,
} from './render/finish-output.ts'
import { renderingAhead } from './render/rendering-ahead.ts'
import { takeStills } from './check/take-stills.ts'
import type { RenderPlan } from '../render/plan-render.ts'
import { checkingWork } from './report/work-ahead.ts'
import { renderChecked } from './check/render-checked.ts'
import { cutResults, type CutResults } from './outputs/cut-clips.ts'
import type { MadeOutput } from './outputs/made-output.ts'
import { renderOutputs } from './outputs/render-outputs.ts'

/**
 * Does everything that reads or makes the files of a job, from the fetched inputs to the uploaded results. It runs in a
 * process of its own: whatever a file makes it do, that process can be ended.
 */
export async function workThrough(context: JobContext, fetched: Fetched): Promise<Success> {
  const phase = phasesOf(context)
  if (context.job.options.analyzeOnly) return analyzeFiles(context, fetched, phase)
  const results = await measureAndCut(context, fetched, phase)
  const cut = await translateCaptions(results.cut)
  const { outputs } = results
  if (outputs) {
    const clips = new Map<string, Cut>()
    for (const [name, clip] of results.clips) clips.set(name, await translateCaptions(clip))
    return makeOutputs({ ...results, cut, clips }, outputs, phase)
  }
  const planned = await planJob(cut)
  context.reporter.expect(renderingAhead(planned, planned.plan))
  const insights = beginInsights(cut.context, spokenIn(cut), planned.plan.durationSeconds)
  try {
    const finished = await phase('rendering', async () => {
      const begunAt = performance.now()
      const onRendered = (plan: RenderPlan) =>
        context.reporter.expect({ checking: checkingWork(plan) })
      const rendered = await renderChecked(planned, { onRendered })
      const shown = await addThumbnail(cut.context, rendered, performance.now() - begunAt)
      const video = await filmWithChapters(cut.context, shown.video, insights.moments)
      const { checks, stills } = await takeStills(cut.context, [{ film: video, ...video }])
      return { ...shown, stills, video: { ...video, checks: checks[0] ?? video.checks } }
    })
    const { video, stills } = finished
    const { durationSeconds } = video.facts
    const [uploaded, found] = await Promise.all([
      phase('uploading', async () => [
        ...(await uploadFinished(cut.context, finished, stills)),
        ...(await storeTranslations(cut)),
      ]),
      insights.finish({ video, durationSeconds }),
    ])
    const { checks } = video
    const { covered } = cut
    const reframed = tellScenes(cut.clips, context.job.options)
    const { warnings } = video.plan
    const made = { finished, uploaded, checks, covered, warnings, reframed }
    const done = success(context, made, found)
    const { compressionQuality: quality, maxBytes } = cut.context.job.options
    const wrote = bytesWork({ plan: planned.plan, clips: cut.clips, quality, maxBytes })
    return { ...done, worked: [{ ...wrote, ms: video.facts.sizeBytes }] }
  } finally {
    await insights.stop()
  }
}

/** The same for a request that names several results. */
async function makeOutputs(
  { cut, clips, suggested }: CutResults,
  outputs: readonly Output[],
  phase: InPhase,
): Promise<Success> {
  const { context, covered } = cut
  const durationSeconds = secondsLeft(cut)
  const spoken = { ...spokenIn(cut), moments: suggested?.moments }
  const insights = beginInsights(context, spoken, durationSeconds)
  try {
    const { made, first, stills } = await phase('rendering', async () => {
      const rendered = await renderOutputs(cut, outputs, clips)
      const all = { ...rendered, outputs, durationSeconds, cut, clips }
      const whole = await outputsWithChapters(context, all, insights.moments)
      const looked = whole.map(({ film, told }) => ({ film, checks: told.checks }))
      const { checks, stills: taken } = await takeStills(context, looked)
      const checked = whole.map((one, i) => ({ ...one, told: { ...one.told, checks: checks[i] } }))
      return { made: checked, first: withFilmOf(rendered.first, whole), stills: taken }
    })
    const [uploaded, found] = await Promise.all([
      phase('uploading', async () => [
        ...(await uploadOutputs(
          context,
          made.flatMap(({ files }) => files),
          { thumbnail: first?.thumbnail, stills },
        )),
        ...(await storeTranslations(cut)),
      ]),
      insights.finish({ video: first?.video, durationSeconds }),
    ])
    const warnings = made.flatMap(({ told }) =>
      told.warnings.map((warning) => `outputs (${told.name}): ${warning}`.slice(0, 500)),
    )
    const named = made.map(({ told }) => ({ ...told, ...suggestedAs(told.name, suggested) }))
    const checks = named.find(({ kind }) => kind === 'final')?.checks
    const reframed = tellScenes(cut.clips, context.job.options)
    const done = { finished: first, uploaded, checks, covered, warnings, reframed }
    return { ...success(context, done, found), named }
  } finally {
    await insights.stop()
  }
}

/** The first video as it is stored, with the chapters in it. */
function withFilmOf(first: Finished | undefined, made: readonly MadeOutput[]) {
  const stored = made.find(({ film }) => film && film.name === first?.video.name)?.film
  return first && stored ? { ...first, video: { ...first.video, facts: stored.facts } } : first
}

/** What a suggested clip is called for people, and where it lies in the source. */
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

/** Cutting belongs to the phase that it waits for: that of the words if they decide what is cut. */
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

function spokenIn({ spoken, transcription }: Cut) {
  return { ...spoken, transcription }
}

type Made = {
  /** Undefined if only sounds were made. */
  readonly finished: Finished | undefined
  readonly uploaded: readonly UploadedOutput[]
  readonly checks: readonly Check[] | undefined
  readonly covered: Cut['covered']
  readonly warnings: readonly string[]
  readonly reframed: Reframed | undefined
}

function success(
  context: JobContext,
  { finished, uploaded, ...made }: Made,
  { transcript, analysis, moments, ...found }: InsightResults,
): Success {
  const warnings = [...made.warnings, ...thumbnailWarnings(context, uploaded), ...found.warnings]
  return {
    type: 'succeeded',
    outputs: [...uploaded, ...found.outputs],
    ...(finished && { videoMetadata: metadataOf(finished.video.facts) }),
    ...(made.checks && { checks: [...made.checks] }),
    ...(made.covered && { covered: made.covered }),
    ...(made.reframed && { reframed: made.reframed }),
    warnings: warnings.slice(0, 200),
    ...(transcript && { transcript }),
    ...(analysis && { analysis }),
    ...(moments && { moments }),
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
