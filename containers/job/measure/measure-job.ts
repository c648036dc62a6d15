import type { MediaFacts } from '../../timeline/media-facts.ts'
import { stackOf } from '../../errors/log.ts'
import { shapeClips, type Clips } from '../../render/frame/shape-clips.ts'
import { openClip } from '../../render/frame/open-clip.ts'
import type { Footage } from '../../render/render-sources.ts'
import { decodeSound, type DecodedSound } from '../../sound/prepare-sound.ts'
import { withSteadySound } from '../../sound/steady-channels.ts'
import { preparedBytes } from '../../sound/sound-request.ts'
import { askedCuts } from '../../timeline/cut-list.ts'
import type { CutTimeline } from '../../timeline/list-cuts.ts'
import { timelineOf } from '../../timeline/timeline.ts'
import { refuseWithoutRoom } from '../disk-room.ts'
import { progressOf, scratchOf, type Fetched, type JobContext } from '../job-context.ts'
import { measurePackings } from './measure-packings.ts'
import { measureElements } from './measure-elements.ts'
import { measureSources } from './measure-sources.ts'
import { drawTexts } from './draw-texts.ts'
import { TextFonts } from './text-fonts.ts'
import { withWallClock } from '../wall-clock.ts'
import { needsWordsFirst } from '../hear/needs-words-first.ts'

/** The footage of a job, with its sound before anything is cut out of it, and what is to be cut out of it so far. */
export type Measured = Footage &
  CutTimeline & {
    /** With time limits that fit these clips. */
    readonly context: JobContext
    /** Undefined if no option changes the sound, or if there is none. */
    readonly sound: DecodedSound | undefined
    readonly fetched: Fetched
    readonly fonts: TextFonts
    /** What of the texts could not be drawn as asked. */
    readonly textWarnings: readonly string[]
  }

/** Reading the facts of the files is quick; decoding all of their sound is not. */
const filesShare = 0.25

/** Measures everything that the plan depends on, except what is left of the sound once it is cut. */
export async function measureJob(context: JobContext, fetched: Fetched): Promise<Measured> {
  const onProgress = progressOf(context, 'measuring')
  const facts = await measureSources(context, fetched.sources, (share) =>
    onProgress(share * filesShare),
  )
  const fetchedMedia = await measureElements(context, fetched.elements)
  const { options } = context.job
  const opened = openClips(context, fetched.sources, facts)
  const sourceBytes = facts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const isTranscribed =
    options.enableTranscription || options.enableAiAnalysis || needsWordsFirst(options)
  const soundBytes = preparedBytes(opened, options, isTranscribed)
  await refuseWithoutRoom(scratchOf(context), soundBytes + sourceBytes)
  const tools = withWallClock(context.tools, opened, 0)
  const clips = await withSteadySound(tools, opened, options)
  const sound = await decodeSound(tools, {
    clips,
    options,
    voices: context.providers.voices,
    isTranscribed,
    onProgress: (share) => onProgress(filesShare + share * (1 - filesShare)),
    onFault: (error) =>
      context.log('error', 'The voice detector failed', { fault: stackOf(error) }),
  })
  const shaped = shapeClips(clips, options)
  const { elements, removeSegments } = options
  const fonts = new TextFonts(tools.folder, fetched.beside)
  const texts = await drawTexts(context, { elements, frame: shaped.frame }, fonts)
  const packings = await measurePackings(context, clips)
  const timeline = timelineOf(clips)
  const asked = { clips: clips.map((clip) => clip.asked), removeSegments }
  return {
    ...{ clips, timeline, shaped, packings, sound, fetched, fonts },
    context: { ...context, tools: withWallClock(context.tools, clips, elements?.length ?? 0) },
    removed: sound?.removed ?? askedCuts(timeline, asked),
    elementMedia: fetchedMedia.map((media, i) => texts.media.get(i) ?? media),
    textWarnings: texts.warnings,
  }
}

function openClips(
  { job }: JobContext,
  files: readonly string[],
  facts: readonly MediaFacts[],
): Clips {
  const [first, ...others] = facts.map((fact, i) =>
    openClip(files[i] ?? `in${i}`, fact, job.inputs[i] ?? {}, job.options.backgroundColor),
  )
  if (!first) throw new Error('A job without inputs')
  return [first, ...others]
}
