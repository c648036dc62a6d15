import { replacedField } from '../../../worker/contract/addresses/addresses-beside.ts'
import type { FaceCounts } from '../../../worker/contract/job/report.ts'
import type { MediaFacts } from '../../timeline/media-facts.ts'
import { stackOf } from '../../errors/log.ts'
import { shapeClips } from '../../render/frame/shape-clips.ts'
import { openClip, solidColor } from '../../render/frame/open-clip.ts'
import type { Footage } from '../../render/render-sources.ts'
import { decodeSound, type DecodedSound } from '../../sound/prepare-sound.ts'
import { speechSoundBytes } from '../../sound/speech-sound.ts'
import { withSteadySound } from '../../sound/steady-channels.ts'
import { cutsWords, ofFootage, preparedBytes } from '../../sound/sound-request.ts'
import { cutTimeline } from '../../timeline/cut-list.ts'
import type { CutTimeline } from '../../timeline/list-cuts.ts'
import { refuseWithoutRoom } from '../disk-room.ts'
import { progressOf, scratchOf, type Fetched, type JobContext } from '../job-context.ts'
import { findClipFaces, maskBytes } from './find-faces.ts'
import { followingResults, followPeople } from './follow-people.ts'
import { foundBytes } from './shake/measure-shake.ts'
import { maySteady, steadyClips } from './shake/steady-clips.ts'
import { drawTexts } from './draw-texts.ts'
import { keptMeasures, measureOnce, type JobMeasures } from './measured-once.ts'
import { refuseUntranslated } from './refuse-untranslated.ts'
import { TextFonts } from './text-fonts.ts'
import { withWallClock } from '../wall-clock.ts'
import { needsWordsFirst } from '../needs-words-first.ts'
import type { Claimed } from '../../ffmpeg/measure-media.ts'
import { groundAsked } from '../../../worker/contract/options/sound/sound-alone.ts'
import { isSound } from '../../../worker/contract/options/outputs/outputs.ts'
import { takeSoundFile, takeSources } from '../../ffmpeg/take-sources.ts'
import type { TakenVideo } from '../../ffmpeg/take-video.ts'
import {
  asksForTranscript,
  type ProcessingOptions,
} from '../../../worker/contract/options/options.ts'
import type { Ahead } from '../report/time-left.ts'
import { listeningWork, measuringWork } from '../report/measuring-work.ts'
import { hearingWork, paceOf, unplannedWork, work } from '../report/work-ahead.ts'
import { atMost } from '../../errors/at-most.ts'
import { measureElement, type MediaType } from '../../ffmpeg/measure-element.ts'
import type { ElementMedia } from '../../render/elements/open-element.ts'
import { measurePacking, type Packing } from '../../ffmpeg/measure-packing.ts'
import { mayBeRow } from '../../cuts/plan/choose-row.ts'
import type { TextFile } from '../../graph/filter-graph.ts'
import { readColorTable } from './color-table.ts'
import { storedStream } from '../../graph/stored-stream.ts'
import type { Clip, Clips } from '../../timeline/clip.ts'

/** The footage of a job, with its sound before anything is cut out of it, and what is to be cut out of it so far. */
export type Measured = Footage &
  CutTimeline & {
    /** With time limits that fit these clips. */
    readonly context: JobContext
    /** Undefined if no option changes the sound, or if there is none. */
    readonly sound: DecodedSound | undefined
    readonly isHeard: boolean
    readonly fetched: Fetched
    /** The sound that takes the place of that of the film. */
    readonly replacement: Clip | undefined
    /** What faces were found, if they were looked for. */
    readonly faces?: FaceCounts | undefined
    readonly fonts: TextFonts
    /** Warnings about what was asked for and is not in the result, such as texts that could not be drawn. */
    readonly textWarnings: readonly string[]
  }

/** Reading the facts of the files is quick; decoding all of their sound is not. */
const filesShare = 0.25
/** Measuring the motion of the camera decodes all pictures, and so does looking for people. */
const motionShare = 0.6

/** Measures everything that the plan depends on, except what is left of the sound once it is cut. */
export async function measureJob(context: JobContext, found: Fetched): Promise<Measured> {
  refuseUntranslated(context.job.options, context.providers)
  const onProgress = progressOf(context, 'measuring')
  const taken = await takeAll(context, found, (share) => onProgress(share * filesShare))
  const facts = taken.map((source) => source.facts)
  const fetched = { ...found, sources: taken.map((source) => source.path) }
  const ahead = workAfter(context.job.options, facts)
  context.reporter.expect(ahead)
  const kept = keptMeasures(context, found, { seconds: secondsOf(facts), usual: ahead.measuring })
  const fetchedMedia = await measureElements(context, fetched.elements)
  const { options } = context.job
  const colorTable = await readColorTable(context.tools.folder, fetched.beside)
  const opened = openClips(context, { files: fetched.sources, facts, colorTable })
  const sourceBytes = facts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const replacement = await takeReplacement(context, fetched)
  const isTranscribed = replacement
    ? cutsWords(options)
    : asksForTranscript(options) || options.enableAiAnalysis || needsWordsFirst(options)
  const cut = cutTimeline(opened, options)
  const soundBytes = preparedBytes({ clips: opened, ...cut }, options, isTranscribed)
  const asked = picturesAsked(context, maySteady(context, opened[0], secondsOf(facts)))
  const foundSize = sizeOfFound(opened, asked)
  await refuseWithoutRoom(scratchOf(context), soundBytes + sourceBytes + foundSize)
  const tools = withWallClock(context.tools, opened, 0)
  const isHeard = mayListen(context, facts)
  const heard = isHeard ? await withSteadySound(tools, opened, options) : opened
  const { clips, faces, isUnseen, seenWarnings } = await lookAtPictures(context, tools, {
    ...{ clips: heard, taken, ...asked, timeline: cut.timeline, kept },
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
  // Each output draws its own, for its frame.
  const elements = options.outputs ? [] : options.elements
  const fonts = new TextFonts(tools.folder, fetched.beside)
  const texts = await drawTexts(context, { elements, frame: shaped.frame }, fonts)
  const packings = await measurePackings(context, clips)
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
    elementMedia: fetchedMedia.map((media, i) => texts.media.get(i) ?? media),
    textWarnings: [...idleWarnings(options, taken), ...seenWarnings, ...texts.warnings],
  }
}

type LookedFor = Pick<Looking, 'isLooked' | 'isShown' | 'isFollowed'>

/** How much disk space takes what is found in pictures. What is only needed for one clip is gone before the next. */
function sizeOfFound(clips: Clips, { isLooked, isShown, isFollowed }: LookedFor): number {
  const masks = isLooked ? clips.reduce((sum, clip) => sum + maskBytes(clip), 0) : 0
  const motion = isShown ? Math.max(...clips.map(foundBytes)) : 0
  const seconds = Math.max(...clips.map(({ facts }) => facts.durationSeconds))
  return masks + motion + (isFollowed ? speechSoundBytes(seconds) : 0)
}

/**
 * Which of the things are done for which all pictures are looked at. A plan does not wait for somebody to be found in a whole
 * film.
 */
function picturesAsked({ job: { options }, mayListenMs }: JobContext, isSteadied: boolean) {
  const isSeen = !isHeardOnly(options)
  const maySee = isSeen && mayListenMs === undefined
  return {
    isShown: options.stabilize && isSeen && isSteadied,
    isLooked: options.blurFaces === true && maySee,
    isFollowed: followingResults(options).length > 0 && maySee,
  }
}

type Looking = {
  readonly clips: Clips
  readonly timeline: CutTimeline['timeline']
  readonly taken: readonly TakenVideo[]
  /** Whether their faces are covered, whether they are held still, and whether the crop follows who is seen. */
  readonly isLooked: boolean
  readonly isShown: boolean
  readonly isFollowed: boolean
  readonly kept: JobMeasures | undefined
  readonly onProgress: (share: number) => void
}

type Seen = Required<Pick<JobContext, 'isUnseen'>> & {
  readonly clips: Clips
  readonly faces?: FaceCounts
  readonly seenWarnings: readonly string[]
}

/** Finds in the pictures of all clips what is to be covered, then how they shake, and then who is seen. */
async function lookAtPictures(
  context: JobContext,
  tools: JobContext['tools'],
  { clips, timeline, taken, isLooked, isShown, isFollowed, kept, onProgress }: Looking,
): Promise<Seen> {
  const { job, providers, log } = context
  const { options, inputs } = job
  const { findFaces, findBodies, voices } = providers
  const passes = Number(isLooked) + Number(isShown) + Number(isFollowed)
  const once = measureOnce(kept, taken)
  let begun = 0
  const nextPass = (): ((share: number) => void) => {
    const before = begun++
    return (share) => onProgress((before + share) / passes)
  }
  const masked = isLooked
    ? await findClipFaces(tools, {
        ...{ clips, findFaces, once, onProgress: nextPass() },
        isSeen: (i) => !taken[i]?.isSoundAlone,
      })
    : { clips }
  const steadied = isShown
    ? await steadyClips(
        { ...context, tools },
        {
          ...{ clips: masked.clips, once, onProgress: nextPass() },
          isFilmed: (i) => isFilmed(taken[i], inputs[i]),
        },
      )
    : undefined
  const steady = steadied ?? masked.clips
  const seenWarnings = new Set<string>()
  const seen = isFollowed
    ? await followPeople(tools, steady, {
        ...{ timeline, options, findFaces, findBodies, once, voices, onProgress: nextPass() },
        onListen: () => kept?.noteMeasured(),
        onFault: (error) => {
          log('error', 'The voice detector failed', { fault: stackOf(error) })
          seenWarnings.add(untoldSpeech)
        },
      })
    : steady
  const isUnseen = (options.stabilize && !steadied) || (options.blurFaces === true && !isLooked)
  return { ...masked, clips: seen, isUnseen, seenWarnings: [...seenWarnings] }
}

const untoldSpeech =
  'resizeMode: the voice detector failed, so it was not told who speaks, and several people are shown as if that was uncertain.'

/** Whether its sound is decoded: always, unless all that is wanted is a plan, which must not take long. */
function mayListen(
  { job, mayListenMs, isPartial }: JobContext,
  facts: readonly Claimed[],
): boolean {
  if (isPartial) return false
  if (mayListenMs === undefined) return true
  const { kind, units } = listeningWork(job.options, secondsOf(facts), facts[0]?.video.bitRate)
  return paceOf(kind, job.paces ?? {}).ms * units <= mayListenMs
}

function secondsOf(facts: readonly Claimed[]): number {
  return facts.reduce((total, { durationSeconds }) => total + durationSeconds, 0)
}

async function takeReplacement(
  { job, settings, tools, during }: JobContext,
  { beside }: Fetched,
): Promise<Clip | undefined> {
  const file = beside.get(replacedField)
  if (file === undefined || job.options.analyzeOnly) return undefined
  const source = { path: file, field: replacedField }
  const { path, facts } = await during(
    { field: replacedField, doing: 'reading this file' },
    async () => takeSoundFile(tools, source, settings.MAX_SOURCE_SECONDS),
  )
  return openClip(path, facts, {})
}

/** Warns about what was asked for and changes nothing, such as the picture of a sound where every file has its own. */
function idleWarnings(options: ProcessingOptions, taken: readonly TakenVideo[]): string[] {
  return [...idleReframe(options), ...idleGround(options, taken)]
}

function idleReframe(options: ProcessingOptions): string[] {
  if (!options.reframe || followingResults(options).length > 0) return []
  return ['reframe: no result has another shape with resizeMode follow, so this did nothing.']
}

function idleGround(options: ProcessingOptions, taken: readonly TakenVideo[]): string[] {
  const asked = groundAsked(options)
  if (!asked || taken.some(({ isSoundAlone }) => isSoundAlone)) return []
  const name = asked.waveColor === undefined ? 'background' : 'waveform'
  const other = name === 'background' ? ' The colour of bars is backgroundColor.' : ''
  return [`${name}: no file is sound alone, so this did nothing.${other}`]
}

/** The work that remains once the footage is known. */
function workAfter(options: ProcessingOptions, facts: readonly Claimed[]): Ahead {
  const seconds = secondsOf(facts)
  const [first] = facts
  return {
    measuring: measuringWork(options, seconds, first?.video),
    ...hearingWork(options, seconds),
    ...(first && unplannedWork(options, first.video, seconds)),
    uploading: work('uploading'),
  }
}

/** What was drawn of a sound or of a picture moves as it was asked to. */
function isFilmed(
  taken: TakenVideo | undefined,
  input: JobContext['job']['inputs'][number] | undefined,
) {
  return !taken?.isSoundAlone && input?.duration === undefined
}

/** Whether no picture of the footage is looked at. */
function isHeardOnly({ analyzeOnly, outputs }: JobContext['job']['options']): boolean {
  return analyzeOnly || (outputs?.every((one) => isSound(one.outputFormat)) ?? false)
}

type Opening = {
  readonly files: readonly string[]
  readonly facts: readonly MediaFacts[]
  readonly colorTable: TextFile | undefined
}

function openClips({ job }: JobContext, { files, facts, colorTable }: Opening): Clips {
  const { backgroundColor } = job.options
  const [first, ...others] = facts.map((fact, i) => ({
    ...openClip(files[i] ?? `in${i}`, fact, job.inputs[i] ?? {}, backgroundColor),
    colorTable,
  }))
  if (!first) throw new Error('A job without inputs')
  return [first, ...others]
}

const measuredAtOnce = 2

/** Measures all fetched files, in their order. */
async function takeAll(
  context: JobContext,
  { sources: files, beside, partial = [] }: Fetched,
  onProgress: (share: number) => void,
): Promise<TakenVideo[]> {
  const { job, settings, signal, tools, during } = context
  const asked = groundAsked(job.options)
  let measured = 0
  const claims: Claimed[] = []
  const sources = files.map((file, i) => {
    const { field = 'file', duration, motion } = job.inputs[i] ?? {}
    const onClaim = (claimed: Claimed): void => {
      claims[i] = claimed
      const known = claims.flatMap((one) => one)
      if (known.length === files.length) context.reporter.expect(workAfter(job.options, known))
    }
    return { path: file, field, duration, motion, onClaim, isPartial: partial.includes(file) }
  })
  return takeSources(tools.folder, sources, {
    maxSeconds: settings.MAX_SOURCE_SECONDS,
    backgroundColor: solidColor(job.options.backgroundColor),
    isPlanned: context.mayListenMs !== undefined,
    soundPicture: asked && { ...asked, path: beside.get(asked.field) },
    isHeardOnly: isHeardOnly(job.options),
    inTurns: async (items, take) =>
      atMost(measuredAtOnce, items, signal, async (item, either) => {
        await during({ field: item.field, doing: 'reading this file' }, async () =>
          take(item, { ...tools, signal: either }),
        )
        measured += 1
        onProgress(measured / files.length)
      }),
  })
}

/**
 * Measures the files of the elements, each file once for every type that it is used as; in the order of the elements.
 */
async function measureElements(
  { job, settings, signal, tools, during }: JobContext,
  files: readonly (string | undefined)[],
): Promise<(ElementMedia | undefined)[]> {
  const wanted = new Map<string, { file: string; type: MediaType; index: number }>()
  const keys = (job.options.elements ?? []).map(({ type }, index) => {
    const file = files[index]
    if (file === undefined || type === 'text' || type === 'blur') return ''
    const key = `${type} ${file}`
    if (!wanted.has(key)) wanted.set(key, { file, type, index })
    return key
  })
  const measured = await atMost(
    measuredAtOnce,
    [...wanted.entries()],
    signal,
    async ([key, { file, type, index }], either): Promise<[string, ElementMedia]> => {
      const field = `elements[${index}].url`
      const maxSeconds = settings.MAX_SOURCE_SECONDS
      const facts = await during({ field, doing: 'reading this file' }, async () =>
        measureElement({ ...tools, signal: either }, { path: file, type, field, maxSeconds }),
      )
      return [key, { path: file, facts }]
    },
  )
  const media = new Map(measured)
  return keys.map((key) => media.get(key))
}

/** For all clips together: hours of video, and some dozens of megabytes of memory. */
const mostPackets = 2_000_000

/** Finds how the pictures of the clips of a join are stored; undefined if they will be encoded in any case. */
export async function measurePackings(
  { job, signal, tools }: JobContext,
  clips: readonly Clip[],
): Promise<Packing[] | undefined> {
  const { compressionQuality, outputFormat } = job.options
  if (compressionQuality < 100 || !mayBeRow(clips, outputFormat)) return undefined
  const share = Math.floor(mostPackets / clips.length)
  return atMost(measuredAtOnce, clips, signal, async ({ video, facts }, either) =>
    measurePacking({ ...tools, signal: either }, storedStream(video).from.path, facts, share),
  )
}
