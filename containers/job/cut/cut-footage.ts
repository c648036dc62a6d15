import { hearsCaptions, type ProcessingOptions } from '../../../worker/contract/options/options.ts'
import type { Covered } from '../../../worker/contract/job/report.ts'
import type { CutFootage, RenderSources } from '../../render/render-sources.ts'
import { assumedSound } from '../../sound/assumed-sound.ts'
import { cutSpoken, finishSound, type DecodedSound } from '../../sound/prepare-sound.ts'
import type { PreparedSound } from '../../sound/prepared-sound.ts'
import type { FrameSpan } from '../../timeline/frame-spans.ts'
import { decideJoints } from '../../timeline/joints.ts'
import type { Transcription } from '../../timeline/speech.ts'
import { withSpokenCuts, type DecidedCuts } from '../../timeline/cut-list.ts'
import { decidedOf, secondsLeft, type CutTimeline, type Removed } from '../../timeline/list-cuts.ts'
import type { Timeline } from '../../timeline/timeline.ts'
import { carried, transcribe } from '../hear/hear-speech.ts'
import type { SpokenSources } from '../../insight/record-speech-sound.ts'
import type { JobContext } from '../job-context.ts'
import { ofFootage } from '../../sound/sound-request.ts'
import type { Caption } from '../../../worker/contract/captions/write-captions.ts'
import { coverSpoken, masked, tellCovered } from './cover-spoken.ts'
import { replaceSound, type Replaced } from './replace-sound.ts'
import type { Heard } from '../hear/hear-words.ts'
import type { Measured } from '../measure/measure-job.ts'
import { duckElements } from './duck-elements.ts'
import { measureCuts } from './measure-cuts.ts'

/** Captions in another language, with the times of those that were translated. */
export type Translation = { readonly language: string; readonly captions: readonly Caption[] }

/** The footage of a job after everything was cut by one list. */
export type Cut = CutFootage &
  Pick<RenderSources, 'copy' | 'warnings'> &
  Pick<Measured, 'context' | 'fetched' | 'fonts'> & {
    /** The sound in which speech is recognised. */
    readonly spoken: SpokenSources
    /** With times in the finished video; undefined if nothing needs it before the rendering. */
    readonly transcription: Transcription | undefined
    /** Captions in other languages, with times in the finished video; undefined if none were asked for. */
    readonly translations?: readonly Translation[] | undefined
    /** Undefined if nothing was to be covered, or if this is only a plan. */
    readonly covered: Covered | undefined
    /** Whether it is only a part of the footage. */
    readonly isClip: boolean
  }

/** A part of the footage that becomes a film of its own. */
type OutsideCuts = {
  readonly outside: readonly FrameSpan[]
  /** Added to the names of its files. */
  readonly suffix: string
}

/**
 * Cuts the sound, lowers the music under it, and finds out how the pictures can be cut by the same list. The sound of the whole
 * footage is gone afterwards, so parts of it are cut before. `isMade` is false if the whole is only transcribed.
 */
export async function cutFootage(
  { sound: decoded, isHeard, spoken, textWarnings, replacement: file, ...heard }: Heard,
  { stretch, isMade = true }: { readonly stretch?: OutsideCuts; readonly isMade?: boolean } = {},
): Promise<Cut> {
  const { context, clips, timeline } = heard
  const { tools, job } = context
  const { outside, suffix } = stretch ?? {}
  const into = stretch && `sound${suffix}.f32`
  const request = { clips, timeline, options: ofFootage(job.options), into }
  const decided = await decideCuts({ ...heard, sound: decoded, spoken }, outside)
  const { wanted, removed, joints, warnings } = decided
  const film = { clips, timeline, removed, joints }
  const isReplaced = file !== undefined
  const covering = await coverSpoken(context, wanted, isReplaced ? undefined : heard.transcription)
  const own =
    isHeard && isMade
      ? covering.sound && (await finishSound(tools, { ...request, joints }, covering.sound))
      : unfinished(film, request.options, wanted)
  const replacement = file && (await replaceSound(context, film, { file, isHeard }))
  const sound = replacement ? replacement.sound : own
  const toDuck = { ...heard, sound, removed, joints, suffix }
  const ducked = await duckElements(tools, job.options, toDuck)
  const footage = { ...heard, sound, removed, joints, ducked, replacement }
  const words = replacement ? replacement.words : covering.words
  return {
    ...footage,
    covered: coveredIn(tellCovered(words, replacement ?? film), heard.faces),
    isClip: stretch !== undefined,
    copy: await measureCuts(context, footage),
    spoken: replacement ?? footage,
    transcription: await transcriptionOf(context, heard.transcription, footage),
    warnings: [...spoken.warnings, ...(sound?.warnings ?? []), ...warnings, ...textWarnings].concat(
      words?.warnings ?? [],
    ),
  }
}

function coveredIn(words: Covered | undefined, faces: Covered['faces']): Covered | undefined {
  return words || faces ? { ...words, ...(faces && { faces }) } : undefined
}

/** Everything that is cut out of the footage, and how its parts are joined. */
export async function decideCuts(
  { sound: decoded, spoken, ...heard }: Omit<Heard, 'textWarnings' | 'replacement' | 'isHeard'>,
  outside: readonly FrameSpan[] = [],
) {
  const { context, clips, timeline } = heard
  const { options } = context.job
  const request = { clips, timeline, options: ofFootage(options) }
  const cuts = { ...spoken.cuts, outside }
  const wanted = decoded && (await cutSpoken(context.tools, request, decoded, cuts))
  const removed = wanted?.removed ?? withCuts(heard.removed, cuts, timeline)
  return { wanted, removed, ...jointsOf(heard, removed, options) }
}

/** As `cutSpoken` does where the sound is here. */
function withCuts({ asked }: Removed, cuts: DecidedCuts, timeline: Timeline): Removed {
  const decided = withSpokenCuts(timeline, asked, cuts)
  return { ...decided, all: decidedOf(decided) }
}

/** The sound that is transcribed: not the final one, which is cut. */
function unfinished(
  film: CutTimeline & Pick<CutFootage, 'clips'>,
  options: ProcessingOptions,
  decoded: DecodedSound | undefined,
): PreparedSound | undefined {
  const assumed = assumedSound(film, options)
  return assumed && { ...assumed, speech: decoded?.speech }
}

/** The words that decided the cuts are not those of a sound that replaces it. */
async function transcriptionOf(
  context: JobContext,
  heard: Transcription | undefined,
  { replacement, ...footage }: CutFootage & { readonly replacement: Replaced | undefined },
): Promise<Transcription | undefined> {
  const seconds = secondsLeft(footage)
  const isPlanned = context.mayListenMs !== undefined
  if (!replacement || isPlanned) return heard && carried(masked(heard, context), footage, seconds)
  const isAwaited = hearsCaptions(context.job.options)
  const said =
    replacement.heard ?? (isAwaited ? await transcribe(context, replacement, seconds) : undefined)
  return said && carried(masked(said, context), replacement, seconds)
}

/** During a transition, the pictures of one side wait in memory for those of the other: at most this many bytes. */
const mostWaitingBytes = 1024 ** 3

function jointsOf(
  { clips, timeline, shaped }: Pick<Heard, 'clips' | 'timeline' | 'shaped'>,
  removed: Removed,
  { cutTransition }: ProcessingOptions,
) {
  const { width, height } = shaped.clips.length > 1 ? shaped.frame : clips[0].facts.video
  const pictureBytes = width * height * 1.5
  const mostFrames = Math.floor(mostWaitingBytes / pictureBytes)
  return decideJoints({ timeline, removed: removed.all, clips, cutTransition, mostFrames })
}
