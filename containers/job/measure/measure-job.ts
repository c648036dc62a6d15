import {
  asksForTranscript,
  type ProcessingOptions,
} from '../../../worker/contract/options/options.ts'
import type { FaceCounts } from '../../../worker/contract/job/report.ts'
import { groundAsked } from '../../../worker/contract/options/sound/sound-alone.ts'
import { mayBeRow } from '../../cuts/plan/choose-row.ts'
import { atMost } from '../../errors/at-most.ts'
import { stackOf } from '../../errors/log.ts'
import type { Claimed } from '../../ffmpeg/measure-media.ts'
import { measurePacking, type Packing } from '../../ffmpeg/measure-packing.ts'
import type { TakenVideo } from '../../ffmpeg/take-video.ts'
import { storedStream } from '../../graph/stored-stream.ts'
import { shapeClips } from '../../render/frame/shape-clips.ts'
import type { Footage } from '../../render/render-sources.ts'
import { decodeSound, type DecodedSound } from '../../sound/prepare-sound.ts'
import { cutsWords, ofFootage, preparedBytes } from '../../sound/sound-request.ts'
import { withSteadySound } from '../../sound/steady-channels.ts'
import type { Clip } from '../../timeline/clip.ts'
import { cutTimeline } from '../../timeline/cut-list.ts'
import type { CutTimeline } from '../../timeline/list-cuts.ts'
import { refuseWithoutRoom } from '../disk-room.ts'
import { progressOf, scratchOf, type Fetched, type JobContext } from '../job-context.ts'
import { needsWordsFirst } from '../needs-words-first.ts'
import { listeningWork } from '../report/measuring-work.ts'
import { paceOf } from '../report/work-kinds.ts'
import { withWallClock } from '../wall-clock.ts'
import { drawTexts } from './draw-texts.ts'
import { measurePictures, picturesAsked, sizeOfFound } from './measure-pictures.ts'
import { keptMeasures } from './measured-once.ts'
import { maySteady } from './shake/measure-shake.ts'
import { measuredAtOnce, secondsOfAll, takeFiles } from './take-files.ts'
import { TextFonts } from './text-fonts.ts'
import { JobError } from '../../errors/job-error.ts'
import type { Providers } from '../../insight/choose-providers.ts'
import { followingResults } from '../../render/output-options.ts'

/** The footage of a job, with its uncut sound, and what is to be cut out of it so far. */
export type Measured = Footage &
  CutTimeline & {
    /** With time limits that fit these clips. */
    readonly context: JobContext
    /** Undefined if no option changes the sound, or if there is none. */
    readonly sound: DecodedSound | undefined
    readonly isHeard: boolean
    readonly fetched: Fetched
    /** The sound that replaces that of the film. */
    readonly replacement: Clip | undefined
    /** The faces that were found, if any were looked for. */
    readonly faces?: FaceCounts | undefined
    readonly fonts: TextFonts
    /** Warnings about requested elements that are missing in the result, such as texts that could not be drawn. */
    readonly textWarnings: readonly string[]
  }

/** The share of measuring until the sound is decoded: reading the facts of files is quick. */
const filesShare = 0.25
/** The share after which pictures are done: measuring the camera's motion and looking for people decode all of them. */
const motionShare = 0.6

/** Measures everything on which the plan depends, except how much is left of the sound after the cuts. */
export async function measureJob(context: JobContext, found: Fetched): Promise<Measured> {
  const { options } = context.job
  refuseUntranslated(options, context.providers)
  const onProgress = progressOf(context, 'measuring')
  const taken = await takeFiles(context, found, (share) => onProgress(share * filesShare))
  const { clips: opened, facts, sources, fetched, replacement } = taken
  const seconds = secondsOfAll(facts)
  const kept = keptMeasures(context, found, { seconds, usual: taken.measuring })
  const cut = cutTimeline(opened, options)
  const isTranscribed = replacement
    ? cutsWords(options)
    : asksForTranscript(options) || options.enableAiAnalysis || needsWordsFirst(options)
  const asked = picturesAsked(context, maySteady(context, opened[0], seconds))
  await refuseWithoutRoom(
    scratchOf(context),
    preparedBytes({ clips: opened, ...cut }, options, isTranscribed) +
      facts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) +
      sizeOfFound(opened, asked),
  )
  const tools = withWallClock(context.tools, opened, 0)
  const isHeard = mayListen(context, facts)
  const heard = isHeard ? await withSteadySound(tools, opened, options) : opened
  const { clips, faces, isUnseen, seenWarnings } = await measurePictures(context, tools, {
    ...{ clips: heard, taken: sources, ...asked, timeline: cut.timeline, kept },
    onProgress: (share) => onProgress(filesShare + share * motionShare),
  })
  const seenShare = Object.values(asked).some(Boolean) ? filesShare + motionShare : filesShare
  const request = {
    ...{ clips, ...cut, options: ofFootage(options) },
    voices: context.providers.voices,
    kept,
    isTranscribed,
    onProgress: (share: number) => onProgress(seenShare + share * (1 - seenShare)),
    onFault: (error: unknown) =>
      context.log('error', 'The voice detector failed', { fault: stackOf(error) }),
  }
  const sound = isHeard ? await decodeSound(tools, request) : undefined
  const shaped = shapeClips(clips, options)
  // Each output draws its own texts, for its frame.
  const elements = options.outputs ? [] : options.elements
  const fonts = new TextFonts(tools.folder, fetched.beside)
  const texts = await drawTexts(context, { elements, frame: shaped.frame }, fonts)
  const packings = await measurePackings(context, clips, options)
  return {
    ...{ clips, timeline: cut.timeline, shaped, packings, sound, isHeard, fetched, fonts },
    ...{ replacement, faces },
    context: {
      ...context,
      isUnseen,
      tools: withWallClock(context.tools, clips, options.elements?.length ?? 0),
    },
    removed: sound?.removed ?? cut.removed,
    joints: [],
    elementMedia: taken.elementMedia.map((media, i) => texts.media.get(i) ?? media),
    textWarnings: [...idleWarnings(options, sources), ...seenWarnings, ...texts.warnings],
  }
}

/** Whether the sound is decoded: always, except where a plan would take too long. */
function mayListen(
  { job, mayListenMs, isPartial }: JobContext,
  facts: readonly Claimed[],
): boolean {
  if (isPartial) return false
  if (mayListenMs === undefined) return true
  const { kind, units } = listeningWork(job.options, secondsOfAll(facts))
  return paceOf(kind, job.paces ?? {}).ms * units <= mayListenMs
}

/** Warns about options that change nothing, such as the picture for a sound if every file has its own. */
function idleWarnings(options: ProcessingOptions, taken: readonly TakenVideo[]): string[] {
  return [...idleFollowing(options), ...idleGround(options, taken)]
}

function idleFollowing(options: ProcessingOptions): string[] {
  if (followingResults(options).length > 0) return []
  if (options.reframe)
    return ['reframe: no result has another shape with resizeMode follow, so this did nothing.']
  const { outputs = [] } = options
  const isAsked = [options, ...outputs].some((one) => one.resizeMode === 'follow')
  return isAsked && !options.analyzeOnly ? [idleFollow] : []
}

const idleFollow =
  'resizeMode: nothing is followed, because no result has another shape. aspectRatio sets it, or both width and height of an output.'

function idleGround(options: ProcessingOptions, taken: readonly TakenVideo[]): string[] {
  const asked = groundAsked(options)
  if (!asked || taken.some(({ isSoundAlone }) => isSoundAlone)) return []
  const name = asked.waveColor === undefined ? 'background' : 'waveform'
  const other = name === 'background' ? ' The colour of bars is backgroundColor.' : ''
  return [`${name}: no file is sound alone, so this did nothing.${other}`]
}

/** For all clips together: enough for hours of video, in a few dozen megabytes of memory. */
const mostPackets = 2_000_000

/** Finds how the pictures of the clips of a join are stored; undefined if they will be encoded in any case. */
export async function measurePackings(
  { signal, tools }: Pick<JobContext, 'signal' | 'tools'>,
  clips: readonly Clip[],
  { compressionQuality, outputFormat }: ProcessingOptions,
): Promise<Packing[] | undefined> {
  if (compressionQuality < 100 || !mayBeRow(clips, outputFormat)) return undefined
  const share = Math.floor(mostPackets / clips.length)
  return atMost(measuredAtOnce, clips, signal, async ({ video, facts }, either) =>
    measurePacking({ ...tools, signal: either }, storedStream(video).from.path, facts, share),
  )
}

/** Refuses translations if no provider can make them, before any work is done. */
function refuseUntranslated(
  { captions }: Pick<ProcessingOptions, 'captions'>,
  { analysis }: Pick<Providers, 'analysis'>,
): void {
  if (!captions?.translateTo || analysis.answer) return
  throw new JobError(
    'element_unusable',
    'captions.translateTo: translating needs a provider, and this service has none; its operator names one with ANALYSIS_PROVIDER (openai or cloudflare) and its key.',
  )
}
