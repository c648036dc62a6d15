import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { ForeseenJob, Foresight, Likely } from '../../../worker/contract/job/foresight.ts'
import { beyondMost } from '../../../worker/contract/job/price-of.ts'
import {
  asksForTranscript,
  hearsCaptions,
  type ProcessingOptions,
} from '../../../worker/contract/options/options.ts'
import { cutsSpeakers, speakersAsked } from '../../../worker/contract/options/speakers.ts'
import { JobError } from '../../errors/job-error.ts'
import { sniffFile } from '../../ffmpeg/take-sources.ts'
import { cutSpokenParts } from '../../insight/edit/cut-spoken.ts'
import { nothingToHear } from '../../insight/transcribe-video.ts'
import type { SpokenSources } from '../../insight/record-speech-sound.ts'
import { nothingRemoved, secondsKept } from '../../timeline/list-cuts.ts'
import type { Transcription } from '../../timeline/speech.ts'
import { assumedClips, cutResults } from '../outputs/cut-clips.ts'
import { nothingHeard, pauseWarnings } from '../analyze-files.ts'
import { wordNames } from '../hear/hear-once.ts'
import { noSounds } from '../hear/hear-speech.ts'
import { unheard, type Heard } from '../hear/hear-words.ts'
import type { Fetched, JobContext } from '../job-context.ts'
import { needsWordsFirst } from '../needs-words-first.ts'
import { measureJob, type Measured } from '../measure/measure-job.ts'
import { planJob, planWith, type Planned } from '../plan/plan-job.ts'
import { lookForPauses } from '../../sound/pauses/cut-pauses.ts'
import { shapeClips } from '../../render/frame/shape-clips.ts'
import { cuttingReads } from '../../render/render-steps.ts'
import { renderingAhead } from '../render/rendering-ahead.ts'
import { TimeLeft } from '../report/time-left.ts'
import { likenessOf } from '../report/usual-error.ts'
import { wholeWork } from '../report/work-ahead.ts'
import { fetchingWork, type Work } from '../report/work-kinds.ts'
import { drawnClips } from './drawn-clips.ts'
import { filmResult, mayBeCut, roundedResult } from './film-result.ts'
import { foreseeOutputs } from './foresee-outputs.ts'
import { around, rounded, stretched } from './ranges.ts'
import { allTrialsMs } from '../try-for-plan.ts'
import { mapClips } from '../../timeline/change-clips.ts'

type Found = Pick<Foresight, 'sources' | 'results' | 'warnings' | 'unknown'>
/** `ifKept`: if an earlier job has heard its words, which are kept under one of these names. */
type Foreseeing = { readonly left: TimeLeft; found: Found; share: Likely } & {
  readonly ifKept: { readonly left: TimeLeft; names: readonly string[] }
}

/**
 * Tells what would become of a job: measures its files as the job would, cuts and plans, and stops before anything is
 * made. What the job would fail with is a part of the answer.
 */
export async function foreseeJob(context: JobContext, fetched: Fetched): Promise<ForeseenJob> {
  const { options, paces = {} } = context.job
  const isPartial = (fetched.partial ?? []).length > 0
  // No time passes for it.
  const newLeft = () => new TimeLeft(paces, () => 0, wholeWork(options), likenessOf(options))
  const foreseeing: Foreseeing = {
    left: newLeft(),
    found: { sources: [], results: [], warnings: [], unknown: [] },
    share: around(1, 0),
    ifKept: { left: newLeft(), names: [] },
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
  const names = [...ifKept.names]
  return {
    ...{ ...found, ...taken(left) },
    ...(names.length > 0 && { ifKept: { names, ...taken(ifKept.left) } }),
  }
}

/** How long it takes, unless it is refused, and whether that is beyond what it may take. */
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

/** What is kept is not heard, neither before the rendering nor beside it. */
const wordsKept = { transcribing: undefined, hearing: undefined }

/** Nobody follows a plan; what it hears of the work ahead is what it wants to know. */
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
  const { options, paces = {} } = context.job
  const stored = await Promise.all(
    fetched.sources.map(async (name) => ({
      sizeInBytes: (await stat(path.join(context.tools.folder, name))).size,
      sniffed: await sniffFile(context.tools.folder, name),
    })),
  )
  const still = await measureJob(context, fetched)
  found.sources = sourcesOf(context, still, stored)
  context.reporter.expect({ fetching: fetchingOf(stored) })
  found.unknown = unknownOf(options, still)
  const nameWords = (sources: SpokenSources): void => {
    const { hashes } = fetched
    if (!hashes || still.replacement) return
    const asked = { names: options.vocabulary ?? [], speakers: speakersAsked(options) }
    const { own, whole } = wordNames(context, { ...sources, ...asked }, hashes)
    // Which pauses the job would leave out shows only once somebody has listened.
    foreseeing.ifKept.names = still.isHeard ? [...new Set([own, whole])] : [whole]
  }
  if (options.analyzeOnly) {
    nameWords(still)
    found.warnings = await warningsOfSound(still)
    return
  }
  const { drawn, unknown } = drawnClips(still, stored)
  found.unknown.push(...unknown)
  const measured = still.context.isUnseen ? assumedPictures(drawn, stored) : drawn
  const share = shareLeft(options, measured)
  foreseeing.share = share
  const assumed = { share, isDrawn: drawn.clips.some((clip, i) => clip !== still.clips[i]) }
  const heard = assumedHeard(context, measured)
  const footage = await cutResults(heard, assumedClips)
  const { cut, isNamed } = footage
  if (needsWordsFirst(options) || asksForTranscript(options) || options.enableAiAnalysis) {
    nameWords(needsWordsFirst(options) ? measured : cut)
  }
  if (isNamed) {
    const { results, warnings, rendering } = await foreseeOutputs(footage, assumed)
    Object.assign(found, { results, warnings })
    context.reporter.expect({ rendering })
    return
  }
  const planned = await planJob(cut)
  const { plan } = planned
  found.warnings = [...plan.warnings]
  const uncut = context.isPartial ? assumedCut(planned) : undefined
  if (uncut) {
    found.unknown.push(seamsUnknown)
    const result = await filmResult(uncut, assumed, paces)
    found.results = [roundedResult({ ...result, picture: saySeams(planned.removed.all.length) })]
    return
  }
  // A copy that may have to be cut takes as long as one that is, which was reckoned with before it was planned.
  if (!mayBeCut(plan, share)) context.reporter.expect(renderingAhead(planned, plan))
  found.results = [roundedResult(await filmResult(planned, assumed, paces))]
}

/** What is said of a sound of which nothing is made: that it is silent, and where no voice is found in it. */
async function warningsOfSound(measured: Measured): Promise<string[]> {
  const { clips, context, timeline, removed, sound } = measured
  if (clips.every(({ facts }) => facts.audio === undefined)) return [nothingHeard]
  if (!sound?.raw) return []
  return pauseWarnings(await lookForPauses(context.tools, timeline, removed.all, sound.raw))
}

const seamsUnknown =
  'compressionQuality: how much is encoded at the cuts shows only when all of the file is here.'

/**
 * The pictures around the cuts of a large file are not here. If the film would be copied without its cuts, most of it is
 * copied with them.
 */
function assumedCut(planned: Planned): Planned | undefined {
  const { plan, removed } = planned
  if (plan.video === 'copy' || removed.all.length === 0) return undefined
  const uncut = planWith({ ...planned, removed: nothingRemoved, joints: [] })
  if (uncut.video !== 'copy') return undefined
  return { ...planned, plan: { ...plan, video: 'copy', whyEncoded: undefined } }
}

function saySeams(cuts: number): string {
  return `copied but for ${cuts} ${cuts === 1 ? 'seam' : 'seams'}`
}

function fetchingOf(stored: readonly Stored[]): Work {
  return fetchingWork(stored.reduce((sum, { sizeInBytes }) => sum + sizeInBytes, 0))
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
      // A clip that was drawn for a sound or a picture is none of the customer's.
      ...(sniffed?.kind === 'video' && picture),
      audioCodec: sniffed?.kind === 'sound' ? sniffed.format : (audio?.codec ?? null),
    }
  })
}

/**
 * The clips as if they shook or showed faces, which a plan does not look for: films that are to be held still shake, and those
 * whose faces are to be covered show some.
 */
function assumedPictures(measured: Measured, stored: readonly Stored[]): Measured {
  const { options, inputs } = measured.context.job
  const clips = mapClips(measured.clips, (clip, i) => {
    if (stored[i]?.sniffed.kind === 'sound') return clip
    const { width, height } = clip.facts.video
    const isFilmed = inputs[i]?.duration === undefined
    return {
      ...clip,
      ...(options.stabilize && isFilmed && { corrections: unwritten }),
      ...(options.blurFaces && { faces: { path: unwritten, width, height } }),
    }
  })
  return { ...measured, clips, shaped: shapeClips(clips, options) }
}

/** The name of a file that nobody writes, because a plan renders nothing of it. */
const unwritten = 'unmeasured'

/** How much of the length is left of films whose pauses, fillers or phrases are cut, as most are spoken. */
const leftOf = {
  pauses: { likely: 0.85, least: 0.5, most: 1 },
  fillers: { likely: 0.96, least: 0.85, most: 1 },
  removed: { likely: 0.97, least: 0.8, most: 1 },
  kept: { likely: 0.4, least: 0.02, most: 1 },
  speakers: { likely: 0.5, least: 0.02, most: 1 },
}

function shareLeft(options: ProcessingOptions, { isHeard, clips }: Measured): Likely {
  if (clips.every(({ facts }) => facts.audio === undefined)) return around(1, 0)
  const { removeText = [], keepText = [] } = options
  const all = [
    ...(options.removeSilence && !isHeard ? [leftOf.pauses] : []),
    ...(options.removeFillers ? [leftOf.fillers] : []),
    ...(removeText.length > 0 ? [leftOf.removed] : []),
    ...(keepText.length > 0 ? [leftOf.kept] : []),
    ...(cutsSpeakers(options) ? [leftOf.speakers] : []),
  ]
  return all.reduce(stretched, around(1, 0))
}

const heardLate = 'shows only when the speech is heard, which a plan does not do.'

function unknownOf(
  options: ProcessingOptions,
  { context, isHeard, clips, replacement }: Measured,
): string[] {
  const isAudible = replacement !== undefined || clips.some(({ facts }) => facts.audio)
  const { removeSilence, normalizeAudio } = options
  const listened = 'would take longer than a plan may listen.'
  return [
    ...(removeSilence && !isHeard ? [`removeSilence: to find the pauses ${listened}`] : []),
    ...(normalizeAudio && !isHeard ? [`normalizeAudio: to measure the loudness ${listened}`] : []),
    ...(options.blurFaces
      ? ['blurFaces: a plan looks for no faces; a film without any may be copied.']
      : []),
    ...(options.stabilize && context.isUnseen
      ? [
          'stabilize: whether the picture shakes would take longer to see than a plan may look; one that does not may be copied.',
        ]
      : []),
    ...(isAudible ? unheardOf(options) : []),
  ]
}

function unheardOf(options: ProcessingOptions): string[] {
  const cutting = cuttingReads.filter((name) =>
    typeof options[name] === 'boolean' ? options[name] : options[name]?.length,
  )
  return [
    ...(cutting.length > 0 ? [`${cutting.join(', ')}: what is cut ${heardLate}`] : []),
    ...(options.analyzeOnly ? [`analyzeOnly: what could be cut ${heardLate}`] : []),
    ...(options.enableTranscription
      ? [`enableTranscription: what is said, and whether that is certain, ${heardLate}`]
      : []),
    ...(options.bleep ? [`bleep: what is covered ${heardLate}`] : []),
    ...(hearsCaptions(options) ? [`captions: what they say ${heardLate}`] : []),
    ...(speakersAsked(options)
      ? [`speakers: how many there are, and whether that is certain, ${heardLate}`]
      : []),
    ...(options.chapters ? [`chapters: how many there are ${heardLate}`] : []),
    ...(options.suggestClips && !options.clips
      ? [`suggestClips: what is suggested ${heardLate}`]
      : []),
    ...(options.clips ? [`clips: how many there are, and how long each is, ${heardLate}`] : []),
  ]
}

/** The footage as if it was heard. Of a film without a sound it is known that nothing will be. */
function assumedHeard(context: JobContext, measured: Measured): Heard {
  const { options } = context.job
  const isSilent = measured.clips.every(({ facts }) => facts.audio === undefined)
  if (!isSilent || measured.replacement || !needsWordsFirst(options)) {
    return { ...unheard(measured), transcription: assumedWords(context, measured) }
  }
  const transcription = { outcome: 'failed', message: nothingToHear } as const
  const spoken = cutSpokenParts({ ...measured, transcription, options, sounds: noSounds })
  return { ...measured, transcription, spoken }
}

const mostAssumed = 200

/** Words in place of those that will be heard, so that captions are planned where there will be some. */
function assumedWords(
  { job, settings }: JobContext,
  measured: Measured,
): Transcription | undefined {
  if (!hearsCaptions(job.options)) return undefined
  const seconds = secondsKept(measured)
  const mostSeconds = settings.MAX_TRANSCRIPTION_SECONDS
  if (seconds > mostSeconds) return { outcome: 'too-long', mostSeconds }
  const count = Math.min(mostAssumed, Math.max(1, Math.floor(seconds)))
  const segments = Array.from({ length: count }, (_, i) => {
    const startTime = (seconds * i) / count
    const word = { startTime, endTime: startTime + (seconds / count) * 0.9, text: 'word' }
    return { ...word, words: [word] }
  })
  return { outcome: 'heard', speech: { language: 'en', segments } }
}
