import { masked } from '../cut/cover-spoken.ts'
import { KeptTime } from '../../../worker/contract/layout/kept-time.ts'
import { clipsAsked } from '../../../worker/contract/options/moments.ts'
import {
  makesClips,
  suggestedName,
  type Output,
} from '../../../worker/contract/options/outputs/outputs.ts'
import { JobError } from '../../errors/job-error.ts'
import { cutsOf } from '../../insight/carry/plan-hearing.ts'
import { fileCuts } from '../../timeline/cut-list.ts'
import { fpsOf } from '../../timeline/frame-rate.ts'
import {
  keptSpans,
  spansBeforeCuts,
  subtractSpans,
  type FrameSpan,
} from '../../timeline/frame-spans.ts'
import { secondsLeft } from '../../timeline/list-cuts.ts'
import { keptTime } from '../../timeline/timeline.ts'
import { cutFootage, decideCuts, type Cut } from '../cut/cut-footage.ts'
import { findMoments, type FoundMoments } from '../hear/find-moments.ts'
import { carried } from '../hear/hear-speech.ts'
import type { Heard } from '../hear/hear-words.ts'
import type { Likely } from '../../../worker/contract/job/foresight.ts'
import { thousandths } from '../../numbers/thousandths.ts'
import { totalLength } from '../../numbers/spans.ts'

/** What a job makes. */
type Results = {
  /** Including the suggested clips. */
  readonly outputs: readonly Output[]
  /** Whether they have names; a request that names none makes one film. */
  readonly isNamed: boolean
}

const theFilm: Output = { name: 'film' }

/** The footage as a whole, and each clip as a film of its own, by the name of its output. */
export type CutResults = Results & {
  readonly cut: Cut
  readonly clips: ReadonlyMap<string, Cut>
  /** Present if clips were suggested. */
  readonly suggested?: Suggested
}

type Suggested = {
  readonly outputs: readonly ClipOutput[]
  readonly titles: ReadonlyMap<string, string>
  readonly moments?: FoundMoments
  /** How much shorter or longer than assumed the results may become. */
  readonly share?: Likely
}
type ClipOutput = Output & { readonly clip: NonNullable<Output['clip']> }

/** Cuts all results of a job. Clips come first, because the sound of the whole is cut in its own file. */
export async function cutResults(
  heard: Heard,
  suggest: (heard: Heard) => Promise<Suggested> = suggestedBy,
): Promise<CutResults> {
  const { options } = heard.context.job
  if (!makesClips(options)) {
    const { outputs = [theFilm] } = options
    const isNamed = options.outputs !== undefined
    return { cut: await cutFootage(heard), outputs, isNamed, clips: new Map() }
  }
  const { outputs: asked = [] } = options
  const suggested = options.clips && (await suggest(heard))
  const outputs = [...asked, ...(suggested?.outputs ?? [])]
  const results = { outputs, isNamed: true }
  const clips = new Map<string, Cut>()
  for (const [i, output] of outputs.entries()) {
    if (!hasClip(output)) continue
    const cut = async () => clipOf(heard, output, `-clip${i}`)
    clips.set(output.name, await named(results, output, cut))
  }
  const isMade = clips.size < outputs.length
  return {
    cut: await cutFootage(heard, { isMade }),
    ...results,
    clips,
    ...(suggested && { suggested }),
  }
}

/** The footage that a result shows. */
export function cutOf({ cut, clips }: Pick<CutResults, 'cut' | 'clips'>, { name }: Output): Cut {
  return clips.get(name) ?? cut
}

/** Adds the name of the output to any error of making it. */
export async function named<Result>(
  { outputs, isNamed }: Results,
  output: Output,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!isNamed || !(error instanceof JobError)) throw error
    const { reason, retryable, message, proof } = error
    const field = `outputs[${outputs.indexOf(output)}] (${output.name})`
    throw new JobError(reason, `${field}: ${message}`.slice(0, 500), {
      ...{ retryable, cause: error, proof },
    })
  }
}

function hasClip(output: Output): output is ClipOutput {
  return output.clip !== undefined
}

/** The footage without the parts outside of a clip. */
async function clipOf(heard: Heard, { clip }: ClipOutput, suffix: string): Promise<Cut> {
  const { timeline, removed } = heard
  const { totalFrames } = timeline
  const fps = fpsOf(timeline.frameRate)
  const kept = keptOfFiles(heard)
  const seconds = totalLength(kept) / fps
  const wanted = {
    from: Math.round(clip.startTime * fps),
    to: Math.max(Math.round(clip.startTime * fps) + 1, Math.round(clip.endTime * fps)),
  }
  const spans = spansBeforeCuts([wanted], kept)
  const [first] = spans
  if (!first) {
    throw nothingLeft(
      `begins at ${clip.startTime} s, and the source ends at ${thousandths(seconds)} s`,
    )
  }
  if (subtractSpans(spans, removed.all).length === 0) {
    throw nothingLeft('lies in what is cut out of the source')
  }
  const outside = subtractSpans([{ from: 0, to: totalFrames }], spans)
  const cut = await cutFootage(heard, { stretch: { outside, suffix } })
  if (clip.endTime <= seconds + 1 / fps) return cut
  const warning = `clip: the source ends at ${thousandths(seconds)} s, before its endTime.`
  return { ...cut, warnings: [...cut.warnings, warning] }
}

function nothingLeft(why: string): JobError {
  return new JobError('nothing_left', `clip ${why}.`)
}

/** The frames that the cuts of single files leave; the times of clips count in them. */
function keptOfFiles({ clips, timeline }: Pick<Heard, 'clips' | 'timeline'>): FrameSpan[] {
  return keptSpans(fileCuts(timeline, clips), timeline.totalFrames)
}

/** Finds clips in what is said, with the cuts of the whole. */
async function suggestedBy(heard: Heard): Promise<Suggested> {
  const { context, transcription = { outcome: 'unasked' } } = heard
  const { outputs } = context.job.options
  const film = { ...heard, ...(await decideCuts(heard)) }
  const seconds = secondsLeft(film)
  const moments = await findMoments(
    context,
    carried(masked(transcription, context), film, seconds),
    seconds,
  )
  const found = moments.moments?.clips ?? []
  if (found.length === 0 && !outputs) {
    throw new JobError('nothing_left', `clips: ${moments.warnings.join(' ')}`.slice(0, 500))
  }
  const sourceTime = inSourceTime(film)
  const all = found.map(({ title, startTime, endTime }, i) => ({
    title,
    output: {
      name: suggestedName(i),
      clip: { startTime: sourceTime(startTime), endTime: sourceTime(endTime) },
    },
  }))
  return {
    outputs: all.map(({ output }) => output),
    titles: new Map(all.map(({ output, title }) => [output.name, title])),
    moments,
  }
}

/** Converts the time of the finished film to that of the source, in which clips count. */
function inSourceTime(film: Heard): (seconds: number) => number {
  const { timeline } = film
  const fps = fpsOf(timeline.frameRate)
  const ofFiles = new KeptTime(
    keptOfFiles(film).map(({ from, to }) => ({ from: from / fps, to: to / fps })),
  )
  const { all } = cutsOf(film)
  return (seconds) => thousandths(ofFiles.placeOf(all.momentAt(keptTime(seconds, timeline))))
}

/** For a plan, clips in place of those that will be suggested: as many, and as long as they are on average. */
export async function assumedClips(heard: Heard): Promise<Suggested> {
  const { count, minDuration, maxDuration } = clipsAsked(
    heard.context.job.options.suggestClips ?? {},
  )
  const seconds = totalLength(keptOfFiles(heard)) / fpsOf(heard.timeline.frameRate)
  const length = Math.min(seconds, (minDuration + maxDuration) / 2)
  const number = Math.max(1, Math.min(count, Math.floor(seconds / length)))
  const outputs = Array.from({ length: number }, (_, i) => {
    const startTime = ((seconds - length) * i) / Math.max(1, number - 1)
    return { name: suggestedName(i), clip: { startTime, endTime: startTime + length } }
  })
  const share = {
    likely: 1,
    least: Math.min(1, minDuration / length),
    most: Math.max(1, maxDuration / length),
  }
  return { outputs, titles: new Map(), share }
}
