import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { ForeseenJob, Foresight, Likely } from '../../../worker/contract/job/foresight.ts'
import { beyondMost } from '../../../worker/contract/job/price-of.ts'
import { asksForTranscript } from '../../../worker/contract/options/options.ts'
import { speakersAsked } from '../../../worker/contract/options/speakers.ts'
import { JobError } from '../../errors/job-error.ts'
import type { LoudnessOverTime } from '../../insight/edit/cut-spoken.ts'
import { sniffFile } from '../../ffmpeg/take-sources.ts'
import type { SpokenSources } from '../../insight/record-speech-sound.ts'
import { nothingRemoved } from '../../timeline/list-cuts.ts'
import { assumedClips, cutResults } from '../outputs/cut-clips.ts'
import type { Cut } from '../cut/cut-footage.ts'
import { nothingHeard, pauseWarnings } from '../analyze-files.ts'
import { wordNames } from '../hear/hear-once.ts'
import { hearWords } from '../hear/hear-words.ts'
import type { Fetched, JobContext } from '../job-context.ts'
import { needsWordsFirst } from '../needs-words-first.ts'
import { measureJob, type Measured } from '../measure/measure-job.ts'
import { planJob, planWith, type Planned } from '../plan/plan-job.ts'
import { saySeams } from '../../render/plan-render.ts'
import { lookForPauses } from '../../sound/pauses/cut-pauses.ts'
import { renderingAhead } from '../render/rendering-ahead.ts'
import { TimeLeft } from '../report/time-left.ts'
import { likenessOf } from '../report/usual-error.ts'
import { wholeWork } from '../report/work-ahead.ts'
import { fetchingWork } from '../report/work-kinds.ts'
import { asTried } from './as-tried.ts'
import { assumedHeard, assumedPictures, shareLeft, unheardOf, unknownOf } from './assumptions.ts'
import { drawnClips } from './drawn-clips.ts'
import { filmResult, mayBeCut, roundedResult, type Assumed } from './film-result.ts'
import { foreseeOutputs } from './foresee-outputs.ts'
import { around, rounded } from './ranges.ts'
import { allTrialsMs } from '../try-for-plan.ts'

type Found = Pick<Foresight, 'sources' | 'results' | 'warnings' | 'unknown'>
/** `ifKept`: what changes if an earlier job has heard the words, which are kept under one of these names. */
type Foreseeing = { readonly left: TimeLeft; found: Found; share: Likely } & {
  readonly ifKept: { readonly left: TimeLeft; names: readonly string[]; decide: boolean }
}

/**
 * Foresees the result of a job: measures its files as the job would, cuts and plans, and stops before anything is made. A
 * reason for which the job would fail is part of the answer.
 */
export async function foreseeJob(context: JobContext, fetched: Fetched): Promise<ForeseenJob> {
  const { options, paces = {} } = context.job
  const isPartial = (fetched.partial ?? []).length > 0
  // It is never told that time passes.
  const newLeft = () => new TimeLeft(paces, () => 0, wholeWork(options), likenessOf(options))
  const foreseeing: Foreseeing = {
    left: newLeft(),
    found: { sources: [], results: [], warnings: [], unknown: [] },
    share: around(1, 0),
    ifKept: { left: newLeft(), names: [], decide: wordsDecide(context) },
  }
  const refusal = await foresee(quiet(context, foreseeing, isPartial), fetched, foreseeing).then(
    () => null,
    (error: unknown) => {
      context.signal.throwIfAborted()
      if (!(error instanceof JobError) || error.retryable) throw error
      return { reason: error.reason, message: error.message }
    },
  )
  const { found, left, ifKept } = foreseeing
  const taken = (one: TimeLeft) => takenOf(context, { ...foreseeing, left: one }, refusal)
  const { decide, names } = ifKept
  return {
    ...{ ...found, ...taken(left) },
    ...(names.length > 0 && { ifKept: { names: [...names], decide, ...taken(ifKept.left) } }),
  }
}

/** How long it takes, unless it is refused, and whether that exceeds the limit. */
function takenOf(
  { job: { most: allowed } }: JobContext,
  { found, share, left }: Pick<Foreseeing, 'found' | 'share' | 'left'>,
  refusal: Foresight['refusal'],
): Pick<Foresight, 'refusal' | 'seconds' | 'cpuSeconds'> {
  const { seconds: likely, least, most } = left.left
  const leastShare = Math.min(1, share.least + 0.2)
  const takes = { likely, least: least * leastShare, most }
  const seconds = rounded(refusal ? around(0, 0) : takes, 1)
  const { ms, spread } = left.processor
  const processor = around(ms / 1000, spread)
  const cpuSeconds = rounded(
    refusal ? around(0, 0) : { ...processor, least: processor.least * leastShare },
    1,
  )
  const counted = { ...found, seconds, cpuSeconds }
  const beyond = refusal || !allowed ? undefined : beyondMost(counted, allowed)
  const refused =
    beyond === undefined ? refusal : { reason: 'beyond_limit' as const, message: beyond }
  return { refusal: refused, seconds, cpuSeconds }
}

/**
 * Whether the plan tells more of the film once the words are known. Only the job listens for fillers that are not written, and a
 * model decides only when asked which clips it chooses.
 */
function wordsDecide({ job: { options }, providers }: JobContext): boolean {
  if (options.analyzeOnly || options.removeFillers) return false
  if (options.clips && providers.analysis.answer !== undefined) return false
  return needsWordsFirst(options)
}

/** A sound that is as loud everywhere: where a plan may not listen, words are cut at their edges, and not at quiet moments beside them. */
const levelSound: LoudnessOverTime = { blocks: { loudness: new Float32Array(0) } }

/** Words that an earlier job has kept take no time: they are not transcribed before the rendering or beside it. */
const wordsKept = { transcribing: undefined, hearing: undefined }

/** A context for a plan: it reports progress to nobody, and only collects the work that lies ahead. */
function quiet(context: JobContext, { left, ifKept }: Foreseeing, isPartial: boolean): JobContext {
  return {
    ...context,
    isPartial,
    trialTime: { leftMs: allTrialsMs },
    reporter: {
      progress: () => undefined,
      insight: () => undefined,
      expect: (ahead) => {
        left.expect(ahead)
        ifKept.left.expect({ ...ahead, ...wordsKept })
      },
    },
    trace: {
      phase: async (_name, work) => work(),
      plan: () => undefined,
      processor: () => undefined,
    },
  }
}

async function foresee(
  context: JobContext,
  fetched: Fetched,
  foreseeing: Foreseeing,
): Promise<void> {
  const { found } = foreseeing
  const { options } = context.job
  const stored = await Promise.all(
    fetched.sources.map(async (name) => ({
      sizeInBytes: (await stat(path.join(context.tools.folder, name))).size,
      sniffed: await sniffFile(context.tools.folder, name),
    })),
  )
  const still = await measureJob(context, fetched)
  found.sources = sourcesOf(context, still, stored)
  context.reporter.expect({
    fetching: fetchingWork(stored.reduce((sum, { sizeInBytes }) => sum + sizeInBytes, 0)),
  })
  found.unknown = unknownOf(options, still)
  const nameWords = (sources: SpokenSources): void => {
    const { hashes } = fetched
    if (!hashes || still.replacement) return
    const asked = { names: options.vocabulary ?? [], speakers: speakersAsked(options) }
    const { own, whole } = wordNames(context, { ...sources, ...asked }, hashes)
    // Which pauses the job leaves out is known only after listening.
    foreseeing.ifKept.names = still.isHeard ? [...new Set([own, whole])] : [whole]
  }
  if (options.analyzeOnly) {
    found.unknown.push(...unheardOf(options, still))
    nameWords(still)
    found.warnings = await warningsOfSound(still)
    return
  }
  const { drawn, unknown } = drawnClips(still, stored)
  found.unknown.push(...unknown)
  const measured = still.context.isUnseen ? assumedPictures(drawn, stored) : drawn
  if (needsWordsFirst(options)) nameWords(measured)
  const areKnown = await areWordsKnown(context, foreseeing)
  if (!areKnown) found.unknown.push(...unheardOf(options, still))
  const share = shareLeft(options, measured, areKnown)
  foreseeing.share = share
  const assumed = { share, isDrawn: drawn.clips.some((clip, i) => clip !== still.clips[i]) }
  const footage = areKnown
    ? await cutResults(await hearWords(knowing(measured), measured.sound ?? levelSound))
    : await cutResults(assumedHeard(context, measured), assumedClips)
  const { cut, isNamed } = footage
  const isHeardBeside = asksForTranscript(options) || options.enableAiAnalysis
  if (isHeardBeside && !needsWordsFirst(options)) nameWords(cut)
  if (isNamed) {
    const { results, warnings, rendering } = await foreseeOutputs(footage, assumed, foreseeing.left)
    Object.assign(found, { results, warnings })
    context.reporter.expect({ rendering })
    return
  }
  await foreseeFilm(cut, foreseeing, assumed)
}

/** The same footage in a plan that knows its words. */
function knowing(measured: Measured): Measured {
  return { ...measured, context: { ...measured.context, areWordsKnown: true } }
}

/** The single film of a request that names no outputs. */
async function foreseeFilm(cut: Cut, foreseeing: Foreseeing, assumed: Assumed): Promise<void> {
  const { found, left } = foreseeing
  const { context } = cut
  const { paces = {} } = context.job
  const planned = await planJob(cut)
  const { plan } = planned
  found.warnings = [...plan.warnings]
  const uncut = context.isPartial ? assumedCut(planned) : undefined
  if (uncut) {
    found.unknown.push(seamsUnknown)
    const { result } = await filmResult(uncut, assumed, paces)
    found.results = [roundedResult({ ...result, picture: saySeams(planned.removed.all.length) })]
    return
  }
  // A copy that may have to be cut takes as long as one that is cut, which was expected before it was planned.
  const ahead = mayBeCut(plan, assumed.share) ? undefined : renderingAhead(planned, plan)
  if (ahead) context.reporter.expect(ahead)
  const { result, tried } = await filmResult(planned, assumed, paces)
  if (ahead) context.reporter.expect(asTried(ahead, tried, left.encoding(ahead.rendering)))
  found.results = [roundedResult(result)]
}

/** Whether an earlier job has heard the words that decide what is made. */
async function areWordsKnown(
  { remembered }: JobContext,
  { ifKept: { names, decide } }: Foreseeing,
): Promise<boolean> {
  if (!remembered || !decide || names.length === 0) return false
  return (await remembered.words.find(names)).size > 0
}

/** Warnings about a sound of which nothing is made: that it is silent, or that no voice is found in it. */
async function warningsOfSound(measured: Measured): Promise<string[]> {
  const { clips, context, timeline, removed, sound } = measured
  if (clips.every(({ facts }) => facts.audio === undefined)) return [nothingHeard]
  if (!sound?.raw) return []
  return pauseWarnings(await lookForPauses(context.tools, timeline, removed.all, sound.raw))
}

const seamsUnknown =
  'compressionQuality: how much is encoded at the cuts shows only when all of the file is here.'

/**
 * The pictures around the cuts of a large file are not here. If the film would be copied without its cuts, most of it is copied
 * with them.
 */
function assumedCut(planned: Planned): Planned | undefined {
  const { plan, removed } = planned
  if (plan.video === 'copy' || removed.all.length === 0) return undefined
  const uncut = planWith({ ...planned, removed: nothingRemoved, joints: [] })
  if (uncut.video !== 'copy') return undefined
  return { ...planned, plan: { ...plan, video: 'copy', whyEncoded: undefined } }
}

type Stored = { sizeInBytes: number; sniffed: Awaited<ReturnType<typeof sniffFile>> }

function sourcesOf(
  { job }: JobContext,
  { clips }: Measured,
  stored: readonly Stored[],
): Foresight['sources'] {
  return clips.map(({ facts }, i) => {
    const { sniffed, sizeInBytes = facts.sizeBytes } = stored[i] ?? {}
    const { video, audio, durationSeconds } = facts
    const { width, height, averageFps, codec } = video
    const picture = { width, height, fps: Number(averageFps.toFixed(3)), videoCodec: codec }
    return {
      field: job.inputs[i]?.field ?? 'file',
      format: sniffed && 'format' in sniffed ? sniffed.format : facts.format,
      ...{ sizeInBytes, duration: Number(durationSeconds.toFixed(3)) },
      // A clip drawn for a sound or a picture is not the customer's own.
      ...(sniffed?.kind === 'video' && picture),
      audioCodec: sniffed?.kind === 'sound' ? sniffed.format : (audio?.codec ?? null),
    }
  })
}
