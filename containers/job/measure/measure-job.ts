import type { MediaFacts } from '../../timeline/media-facts.ts'
import { stackOf } from '../../errors/log.ts'
import { shapeClips } from '../../render/frame/shape-clips.ts'
import { openClip } from '../../render/frame/open-clip.ts'
import { decodeSound, type DecodedSound } from '../../sound/prepare-sound.ts'
import { withSteadySound } from '../../sound/steady-channels.ts'
import { preparedBytes } from '../../sound/sound-request.ts'
import { refuseWithoutRoom } from '../disk-room.ts'
import { progressOf, scratchOf, type FetchedFiles, type JobContext } from '../job-context.ts'
import { measurePackings } from './measure-packings.ts'
import { measureElements } from './measure-elements.ts'
import { measureSources } from './measure-sources.ts'
import { drawTexts } from './draw-texts.ts'
import type { TextFonts } from './text-fonts.ts'
import type { Sources } from '../render/render-output.ts'
import { withWallClock } from '../wall-clock.ts'
import { needsWordsFirst } from '../hear/needs-words-first.ts'

/** Reading the facts of the files is quick; decoding all of their sound is not. */
const filesShare = 0.25

/** The measured files, and their sound before anything is cut out of it. */
export type MeasuredJob = Omit<Sources, 'sound' | 'ducked' | 'heard' | 'cut'> & {
  readonly decoded: DecodedSound | undefined
}

/** Measures everything that the plan depends on, except what is left of the sound once it is cut. */
export async function measureJob(
  context: JobContext,
  files: FetchedFiles,
  fonts: TextFonts,
): Promise<MeasuredJob> {
  const onProgress = progressOf(context, 'measuring')
  const facts = await measureSources(context, files.sources, (share) =>
    onProgress(share * filesShare),
  )
  const fetchedMedia = await measureElements(context, files.elements)
  const { options } = context.job
  const opened = openClips(context, files.sources, facts)
  const sourceBytes = facts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const isTranscribed =
    options.enableTranscription || options.enableAiAnalysis || needsWordsFirst(options)
  const soundBytes = preparedBytes(opened, options, isTranscribed)
  await refuseWithoutRoom(scratchOf(context), soundBytes + sourceBytes)
  const tools = withWallClock(context.tools, opened, 0)
  const clips = await withSteadySound(tools, opened, options)
  const decoded = await decodeSound(tools, {
    clips,
    options,
    voices: context.providers.voices,
    isTranscribed,
    onProgress: (share) => onProgress(filesShare + share * (1 - filesShare)),
    onFault: (error) =>
      context.log('error', 'The voice detector failed', { fault: stackOf(error) }),
  })
  const { frame } = shapeClips(clips, options)
  const { elements } = options
  const texts = await drawTexts(context, { elements, frame }, fonts)
  const elementMedia = fetchedMedia.map((media, i) => texts.media.get(i) ?? media)
  const packings = await measurePackings(context, clips)
  return { clips, decoded, elementMedia, textWarnings: texts.warnings, packings }
}

function openClips(
  { job }: JobContext,
  files: readonly string[],
  facts: readonly MediaFacts[],
): Sources['clips'] {
  const [first, ...others] = facts.map((fact, i) =>
    openClip(files[i] ?? `in${i}`, fact, job.inputs[i] ?? {}, job.options.backgroundColor),
  )
  if (!first) throw new Error('A job without inputs')
  return [first, ...others]
}
