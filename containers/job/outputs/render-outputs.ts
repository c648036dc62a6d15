import { loadOf } from '../report/encoding-effort.ts'
import type { AttemptTrace } from '../../../worker/contract/job/report.ts'
import { isFilm, type Output } from '../../../worker/contract/options/outputs/outputs.ts'
import { JobError } from '../../errors/job-error.ts'
import { isExcerpt } from '../../render/steps/take-excerpt.ts'
import { describeCuts, secondsLeft } from '../../timeline/list-cuts.ts'
import type { Cut } from '../cut/cut-footage.ts'
import type { JobContext } from '../job-context.ts'
import { addThumbnail, type Finished } from '../render/finish-output.ts'
import type { FirstEncode } from '../render/render-output.ts'
import {
  addWorks,
  checkingWork,
  otherWork,
  outputsWork,
  renderingWork,
  usualTime,
  type Work,
} from '../report/work-ahead.ts'
import { encodeTogether, groupsOf, type FilmOutput } from './encode-together.ts'
import { filmMade, planFilm, renderFilm } from './film-output.ts'
import type { MadeOutput } from './made-output.ts'
import { isPictureOutput, renderPictures } from './pictures/render-pictures.ts'
import { isSoundOutput, renderSound } from './sound-output.ts'
import { isStreamOutput, renderStream, streamWork } from './stream-output.ts'

/** All outputs in their order, and the first video among them with its still. */
type MadeOutputs = {
  readonly made: readonly MadeOutput[]
  readonly first: Finished | undefined
}

/**
 * Renders one output after another from the same cut footage: what was measured, heard, cut and prepared is not done again.
 * The films come first, because a sound gets a still of the first one as its cover.
 */
export async function renderOutputs(
  cut: Cut,
  outputs: readonly Output[],
  clips: ReadonlyMap<string, Cut> = new Map(),
): Promise<MadeOutputs> {
  const cutOf = ({ name }: Output): Cut => clips.get(name) ?? cut
  const films = outputs.filter(({ outputFormat }) => isFilm(outputFormat))
  const streams = outputs.filter(isStreamOutput)
  const others = outputs.filter((output) => !films.includes(output) && !isStreamOutput(output))
  const made = new Map<string, MadeOutput>()
  // An output that is tried again tells its last plan.
  const plans = new Map<string, Plan>()
  let first: Finished | undefined
  const begunAt = performance.now()
  const planned: FilmOutput[] = []
  // Which films are encoded together is known once all are planned.
  let outputSpans: readonly Span[] = []
  for (const [place, output] of films.entries()) {
    const onPlan = (plan: ToldPlan) => plans.set(output.name, plan ?? {})
    const told = { undivided: whyWhole(output, films.length), onPlan }
    const span = (): Span => outputSpans[place] ?? [0, 1]
    const context = contextOf(cut.context, span, told)
    const film = async () => planFilm({ ...cutOf(output), context }, output, place)
    planned.push({ place, planned: await named(outputs, output, film) })
  }
  const works = worksOf(cutOf, outputs, planned)
  cut.context.reporter.expect({ rendering: outputsWork(works) })
  const groups = groupsOf(planned)
  const places = groups.map((group) => group.map(({ place }) => place))
  const spans = spansOf(works.map(usualTime), places)
  const spanOf = (place: number) => (): Span => spans.outputs[place] ?? [0, 1]
  outputSpans = spans.outputs
  const together = await encodeGroups(cut.context, groups, spans.groups)
  for (const [i, output] of films.entries()) {
    const film = planned[i]?.planned
    if (!film) continue
    const video = await named(outputs, output, async () => renderFilm(film, i, together.get(i)))
    const isFirst = first === undefined
    first ??= await addThumbnail(cut.context, video, performance.now() - begunAt)
    made.set(output.name, filmMade(output, video, isFirst))
  }
  for (const [i, output] of streams.entries()) {
    const context = contextOf(cut.context, spanOf(films.length + i), {
      onPlan: (plan) => plans.set(output.name, plan ?? {}),
    })
    const place = films.length + i
    const work = async () => renderStream({ ...cutOf(output), context }, output, place)
    const stream = await named(outputs, output, work)
    first ??= await addThumbnail(cut.context, stream.film, performance.now() - begunAt)
    made.set(output.name, stream.made)
  }
  for (const [i, output] of others.entries()) {
    const context = contextOf(cut.context, spanOf(films.length + streams.length + i), {})
    const place = { cover: first?.thumbnail, place: i }
    const other = async () => renderOther({ ...cutOf(output), context }, output, place)
    made.set(output.name, await named(outputs, output, other))
  }
  tellPlans(cut, plans)
  return { made: outputs.flatMap(({ name }) => made.get(name) ?? []), first }
}

/** The first encodes of the films that are encoded together; they take most of the time of these films. */
async function encodeGroups(
  context: JobContext,
  groups: readonly (readonly FilmOutput[])[],
  spans: readonly Span[],
): Promise<ReadonlyMap<number, FirstEncode>> {
  const made = new Map<number, FirstEncode>()
  for (const [i, group] of groups.entries()) {
    const span = (): Span => spans[i] ?? [0, 1]
    const encoded = await encodeTogether(contextOf(context, span, {}), group)
    for (const [place, first] of encoded) made.set(place, first)
  }
  return made
}

/** Why a film is not divided into parts. */
function whyWhole(output: Output, films: number): string | undefined {
  if (films > 1) return 'the job has several outputs'
  return isExcerpt(output) || output.clip ? 'it is a part of the film' : undefined
}

type Place = { readonly cover: string | undefined; readonly place: number }

/** An output that is no film. */
async function renderOther(cut: Cut, output: Output, place: Place): Promise<MadeOutput> {
  if (isSoundOutput(output)) return renderSound(cut, output, place)
  if (isPictureOutput(output)) return renderPictures(cut, output, place.place)
  throw new Error(`An output of an unknown kind: ${output.name}`)
}

/**
 * The work of each output in the order in which they are made: films, streams, and the others. What films save by sharing
 * runs is about what the looks before them take.
 */
export function worksOf(
  cutOf: (output: Output) => Cut,
  outputs: readonly Output[],
  films: readonly FilmOutput[],
): readonly Work[] {
  const sourceOf = (one: Cut) => loadOf(one.clips[0].facts)
  return [
    ...films.map(({ planned: { plan, ...one } }) => {
      const { compressionQuality: quality } = one.context.job.options
      return addWorks([renderingWork(plan, sourceOf(one), quality), checkingWork(plan)])
    }),
    ...outputs.filter(isStreamOutput).map((output) => streamWork(cutOf(output), output)),
    ...outputs
      .filter((output) => !isFilm(output.outputFormat) && !isStreamOutput(output))
      .map((output) => {
        const one = cutOf(output)
        return otherWork(output.outputFormat, sourceOf(one), secondsLeft(one))
      }),
  ]
}

type ToldPlan = AttemptTrace['plan']
type Plan = NonNullable<ToldPlan>
type OfOutput = Pick<JobContext, 'undivided'> & { onPlan?: (plan: ToldPlan) => void }

/** The context of one output: its progress counts between these shares of the rendering. */
function contextOf(
  context: JobContext,
  spanOf: () => Span,
  { undivided, onPlan = () => undefined }: OfOutput,
): JobContext {
  const { reporter, trace } = context
  const progress: typeof reporter.progress = (phase, share, again = 0) => {
    const [from, to] = spanOf()
    return phase === 'rendering'
      ? reporter.progress(phase, from + (to - from) * share, again * (to - from))
      : reporter.progress(phase, share, again)
  }
  return {
    ...context,
    undivided,
    // The work of all outputs is told at once.
    reporter: { ...reporter, progress, expect: () => undefined },
    trace: { ...trace, plan: onPlan },
  }
}

/** Whatever goes wrong names the output that it went wrong with. */
export async function named<Result>(
  outputs: readonly Output[],
  output: Output,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof JobError)) throw error
    const { reason, retryable, message } = error
    const field = `outputs[${outputs.indexOf(output)}] (${output.name})`
    throw new JobError(reason, `${field}: ${message}`.slice(0, 500), { retryable, cause: error })
  }
}

/** The plan of the first film, as for a request without outputs, and those of all films; of sounds alone the cuts. */
function tellPlans(cut: Cut, plans: ReadonlyMap<string, Plan>): void {
  const [first] = plans.values()
  const isObject = typeof first === 'object' && !Array.isArray(first)
  const head = isObject ? first : { cuts: describeCuts(cut) }
  cut.context.trace.plan({ ...head, outputs: [...plans].map(([name, plan]) => ({ name, plan })) })
}

/** Shares of the rendering between which something is made. */
type Span = readonly [from: number, to: number]

/** Of the runs that encode films together, which come first, and of what is left of each output after them. */
type Spans = { readonly groups: readonly Span[]; readonly outputs: readonly Span[] }

/** How much of the time of a film its first encode takes, beside others. */
const togetherShare = 0.95

/** The bar goes as far with each output as that takes of the time. `groups`: the places of outputs that are encoded together. */
function spansOf(times: readonly number[], groups: readonly (readonly number[])[]): Spans {
  const total = Math.max(
    1,
    times.reduce((sum, one) => sum + one, 0),
  )
  const grouped = new Set(groups.flat())
  let at = 0
  const next = (time: number): Span => {
    const from = at
    at = Math.min(1, at + time / total)
    return [from, at]
  }
  const timeOf = (place: number) => times[place] ?? 0
  return {
    groups: groups.map((places) =>
      next(places.reduce((sum, place) => sum + timeOf(place), 0) * togetherShare),
    ),
    outputs: times.map((time, place) =>
      next(grouped.has(place) ? time * (1 - togetherShare) : time),
    ),
  }
}
