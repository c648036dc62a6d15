import { isFilm, type Output } from '../../../worker/contract/options/outputs/outputs.ts'
import { refuseBehindEnd } from '../../render/steps/take-excerpt.ts'
import { filmSeconds, secondsLeft } from '../../timeline/list-cuts.ts'
import type { Cut } from '../cut/cut-footage.ts'
import { withoutLargerCopy } from '../foresee/larger-copy.ts'
import { planJob } from '../plan/plan-job.ts'
import { usualRuns } from '../render/in-bytes.ts'
import { fillsBytes } from '../render/render-output.ts'
import { renderingAhead } from '../render/rendering-ahead.ts'
import { loadOf } from '../report/encoding-effort.ts'
import type { Ahead } from '../report/steps.ts'
import { addWorks, checksOf, otherWork, outputsWork, renderingWork } from '../report/work-ahead.ts'
import type { Work } from '../report/work-kinds.ts'
import { cutOf, named, type CutResults } from './cut-clips.ts'
import type { FilmOutput } from './encode-together.ts'
import { planFilm } from './film-output.ts'
import { refuseLate } from './pictures/still-output.ts'
import { isSoundOutput, planSoundOutput } from './sound-output.ts'
import { isStreamOutput, streamWork } from './stream-output.ts'

/** The results of a job once all of its films are planned: only then is it known which are encoded together. */
export type PlannedResults = CutResults & {
  readonly films: readonly FilmOutput[]
  /** The work of each output, in the order in which they are made. */
  readonly works: readonly Work[]
  /** How long the whole lasts. */
  readonly seconds: number
}

export async function planResults(results: CutResults): Promise<PlannedResults> {
  await refuseAtOnce(results)
  const films: FilmOutput[] = []
  for (const [place, output] of inOrder(results.outputs).entries()) {
    if (!isFilm(output.outputFormat)) continue
    const cut = cutOf(results, output)
    const plan = async () => (results.isNamed ? planFilm(cut, output, place) : planJob(cut))
    films.push({ place, planned: await named(results, output, plan) })
  }
  const [only] = results.isNamed ? [] : films
  return {
    ...results,
    films,
    works: worksOf(results, films),
    seconds: only?.planned.plan.durationSeconds ?? secondsLeft(results.cut),
  }
}

/** Sounds and pictures are made after all films: those that cannot be made are refused before any film is rendered. */
export async function refuseAtOnce(results: CutResults): Promise<void> {
  for (const output of results.outputs) {
    if (isFilm(output.outputFormat)) continue
    const cut = cutOf(results, output)
    await named(results, output, async () => {
      if (isSoundOutput(output)) return void planSoundOutput(cut, output)
      const seconds = filmSeconds(cut)
      refuseBehindEnd('startTime', output.startTime ?? 0, seconds)
      refuseLate(output.times, seconds)
    })
  }
}

/** The order in which outputs are made: films, streams, and the others, which may need a still of a film. */
export function inOrder(outputs: readonly Output[]): readonly Output[] {
  const films = outputs.filter(({ outputFormat }) => isFilm(outputFormat))
  const streams = outputs.filter(isStreamOutput)
  return [...new Set([...films, ...streams, ...outputs])]
}

/** The work that the rendering has ahead. */
export function resultsAhead({ isNamed, films: [film], works }: PlannedResults): Ahead {
  if (isNamed || !film) return { rendering: outputsWork(works) }
  return renderingAhead(film.planned, film.planned.plan)
}

/**
 * The works of the outputs. By sharing runs, films save about as much as the looks before them take. `weigh`: how much work the
 * encode of a film is, if more is known about it than its plan.
 */
export function worksOf(
  results: Pick<CutResults, 'cut' | 'clips' | 'outputs'>,
  films: readonly FilmOutput[],
  weigh = (encode: Work, _film: FilmOutput): Work => encode,
): readonly Work[] {
  const sourceOf = (one: Cut) => loadOf(one.clips[0].facts)
  return [
    ...films.map((film) => {
      const { plan, ...one } = withoutLargerCopy(film.planned)
      const { compressionQuality: quality, maxBytes } = one.context.job.options
      const { kind, units } = weigh(renderingWork(plan, one.clips, quality), film)
      const runs = fillsBytes({ plan, ...one }, maxBytes) ? usualRuns : 1
      return addWorks([{ kind, units: units * runs }, checksOf(plan, one.clips)])
    }),
    ...inOrder(results.outputs)
      .slice(films.length)
      .map((output) => {
        const one = cutOf(results, output)
        if (isStreamOutput(output)) return streamWork(one, output)
        return otherWork(output.outputFormat, sourceOf(one), secondsLeft(one))
      }),
  ]
}
