import type { AttemptTrace } from '../../../worker/contract/job/report.ts'
import type { WorkDone } from '../../../worker/contract/job/paces.ts'
import { isFilm, type Output } from '../../../worker/contract/options/outputs/outputs.ts'
import { isExcerpt } from '../../render/steps/take-excerpt.ts'
import { describeFootage } from '../../render/plan-render.ts'
import type { Cut } from '../cut/cut-footage.ts'
import type { JobContext } from '../job-context.ts'
import { addThumbnail, type VideoWithThumbnail } from '../render/finish-output.ts'
import type { FirstEncode } from '../render/render-freely.ts'
import { usualTime } from '../report/work-kinds.ts'
import { cutOf, named } from './cut-clips.ts'
import { encodeTogether, groupsOf, type FilmOutput } from './encode-together.ts'
import { filmMade, renderFilm } from './film-output.ts'
import type { MadeOutput } from './made-output.ts'
import { isPictureOutput, renderPictures } from './pictures/render-pictures.ts'
import { inOrder, type PlannedResults } from './plan-results.ts'
import { isSoundOutput, renderSound } from './sound-output.ts'
import { isStreamOutput, renderStream } from './stream-output.ts'

/** The results, in the order of the request. */
export type RenderedResults = PlannedResults & {
  readonly made: readonly MadeOutput[]
  /** Undefined if only sounds and pictures are made. */
  readonly first: VideoWithThumbnail | undefined
  /** The work done, from which the times of later jobs are forecast. */
  readonly worked: readonly WorkDone[]
}

/**
 * Renders one result after another from the same cut footage: measurements, words, cuts and prepared sounds are not made again.
 * The films come first, because a sound gets a still of the first one as its cover.
 */
export async function renderResults(planned: PlannedResults): Promise<RenderedResults> {
  const { cut, films, works, outputs } = planned
  const begunAt = performance.now()
  // If an output is tried again, its last plan is reported.
  const plans = new Map<string, ResultsPlan>()
  const groups = groupsOf(films)
  const places = groups.map((group) => group.map(({ place }) => place))
  const spans = spansOf(works.map(usualTime), places, firstShare(cut.context))
  const together = await encodeGroups(cut.context, groups, spans.groups)
  const firstMs = performance.now() - begunAt
  const made = new Map<string, MadeOutput>()
  let first: VideoWithThumbnail | undefined
  let filmsMs = firstMs
  for (const [place, output] of inOrder(outputs).entries()) {
    const onPlan = (plan: ToldPlan) => plans.set(output.name, plan ?? {})
    const inSpan = (context: JobContext): JobContext => {
      if (!planned.isNamed) return context
      const undivided = isFilm(output.outputFormat) ? whyWhole(output, films.length) : undefined
      return contextOf(context, spans.outputs[place] ?? [0, 1], { undivided, onPlan })
    }
    const one = await named(planned, output, async () => {
      const film = films[place]?.planned
      if (film) {
        const inFilm = { ...film, context: inSpan(film.context) }
        return filmMade(output, await renderFilm(inFilm, place, together.get(place)), place === 0)
      }
      const own = cutOf(planned, output)
      const inOther = { ...own, context: inSpan(own.context) }
      return renderOther(inOther, output, { cover: first?.thumbnail, place })
    })
    if (one.film) first ??= await addThumbnail(cut.context, one.film, performance.now() - begunAt)
    made.set(output.name, one)
    if (films[place]) filmsMs = performance.now() - begunAt
  }
  if (planned.isNamed) tellPlans(cut, plans)
  const seconds = planned.isNamed ? planned.seconds : first?.video.facts.durationSeconds
  return {
    ...planned,
    made: outputs.flatMap(({ name }) => made.get(name) ?? []),
    first,
    seconds: seconds ?? planned.seconds,
    worked:
      groups.length > 0 ? [{ kind: firstKind, units: Math.max(1, filmsMs), ms: firstMs }] : [],
  }
}

/** Makes the first encodes of the films that are encoded together, which take most of the time of these films. */
async function encodeGroups(
  context: JobContext,
  groups: readonly (readonly FilmOutput[])[],
  spans: readonly FromTo[],
): Promise<ReadonlyMap<number, FirstEncode>> {
  const made = new Map<number, FirstEncode>()
  for (const [i, group] of groups.entries()) {
    const encoded = await encodeTogether(contextOf(context, spans[i] ?? [0, 1], {}), group)
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

/** An output that is not a film. */
async function renderOther(cut: Cut, output: Output, place: Place): Promise<MadeOutput> {
  if (isSoundOutput(output)) return renderSound(cut, output, place)
  if (isStreamOutput(output)) return renderStream(cut, output, place.place)
  if (isPictureOutput(output)) return renderPictures(cut, output, place.place)
  throw new Error(`An output of an unknown kind: ${output.name}`)
}

type ToldPlan = AttemptTrace['plan']
type ResultsPlan = NonNullable<ToldPlan>
type OfOutput = Pick<JobContext, 'undivided'> & { onPlan?: (plan: ToldPlan) => void }

/** The context of one output: its progress moves between these shares of the rendering. */
function contextOf(
  context: JobContext,
  [from, to]: FromTo,
  { undivided, onPlan = () => undefined }: OfOutput,
): JobContext {
  const { reporter, trace } = context
  const progress: typeof reporter.progress = (phase, share, again = 0) => {
    return phase === 'rendering'
      ? reporter.progress(phase, from + (to - from) * share, again * (to - from))
      : reporter.progress(phase, share, again)
  }
  return {
    ...context,
    undivided,
    // The work of all outputs is reported at once.
    reporter: { ...reporter, progress, expect: () => undefined },
    trace: { ...trace, plan: onPlan },
  }
}

/** Reports the plan of the first film, as for a request without outputs, the plans of all films, and of what others are made. */
function tellPlans(cut: Cut, plans: ReadonlyMap<string, ResultsPlan>): void {
  const [first] = plans.values()
  const outputs = [...plans].map(([name, plan]) => ({ name, plan }))
  const own = typeof first === 'object' && !Array.isArray(first) ? first : {}
  cut.context.trace.plan({ ...describeFootage(cut), ...own, outputs })
}

/** Two shares of the rendering between which progress moves. */
type FromTo = readonly [from: number, to: number]

/** The spans of the runs that encode films together, which come first, and of what is left of each output after them. */
type Spans = { readonly groups: readonly FromTo[]; readonly outputs: readonly FromTo[] }

/** Under this name, past jobs record which share of the time of films their first shared encode takes. */
const firstKind = 'films together'
const usualFirst = { share: 0.85, least: 0.2, most: 0.97 } as const

function firstShare({ job: { paces = {} } }: JobContext): number {
  const { share, least, most } = usualFirst
  return Math.min(most, Math.max(least, paces[firstKind]?.ms ?? share))
}

/** Divides the progress among outputs by the time that each takes. `groups`: the places of outputs that are encoded together. */
function spansOf(
  times: readonly number[],
  groups: readonly (readonly number[])[],
  first: number,
): Spans {
  const total = Math.max(
    1,
    times.reduce((sum, one) => sum + one, 0),
  )
  const grouped = new Set(groups.flat())
  let at = 0
  const next = (time: number): FromTo => {
    const from = at
    at = Math.min(1, at + time / total)
    return [from, at]
  }
  const timeOf = (place: number) => times[place] ?? 0
  return {
    groups: groups.map((places) =>
      next(places.reduce((sum, place) => sum + timeOf(place), 0) * first),
    ),
    outputs: times.map((time, place) => next(grouped.has(place) ? time * (1 - first) : time)),
  }
}
