import { isFilm, type Output } from '../../../worker/contract/options/outputs/outputs.ts'
import { canShareOut } from '../../render/output/picture-codecs.ts'
import { refuseBehindEnd } from '../../render/steps/take-excerpt.ts'
import { filmSeconds, secondsLeft } from '../../timeline/list-cuts.ts'
import type { Cut } from '../cut/cut-footage.ts'
import { withoutLargerCopy } from '../foresee/larger-copy.ts'
import { planJob } from '../plan/plan-job.ts'
import { timesTried } from '../render/in-budget.ts'
import { timesInBytes } from '../render/in-bytes.ts'
import { fillsBytes } from '../render/render-output.ts'
import { renderingAhead } from '../render/rendering-ahead.ts'
import { loadOf } from '../report/encoding-effort.ts'
import type { Ahead } from '../report/steps.ts'
import { addWorks, checksOf, otherWork, outputsWork, renderingWork } from '../report/work-ahead.ts'
import type { Work } from '../report/work-kinds.ts'
import { cutOf, named, type CutResults } from './cut-clips.ts'
import type { FilmOutput } from './encode-together.ts'
import { planFilm } from './film-output.ts'
import { isMovingOutput, movingPixels } from './pictures/moving-output.ts'
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

/** The work of the encodes of a film, if `once` is that of one of them, and it is usually encoded as often as `times` says. */
type WeighEncodes = (once: Work, film: FilmOutput, times: number) => Work

const asUsual: WeighEncodes = ({ kind, units }, _film, times) => ({ kind, units: units * times })

/**
 * The works of the outputs. By sharing runs, films save about as much as the looks before them take. `weigh`: for films of which
 * more is known than their plans.
 */
export function worksOf(
  results: Pick<CutResults, 'cut' | 'clips' | 'outputs'>,
  films: readonly FilmOutput[],
  weigh = asUsual,
): readonly Work[] {
  const sourceOf = (one: Cut) => loadOf(one.clips[0].facts)
  return [
    ...films.map((film) => {
      const { plan, ...one } = withoutLargerCopy(film.planned)
      const { compressionQuality: quality, maxBytes } = one.context.job.options
      const isTried = plan.budget !== undefined && !canShareOut(plan.codec)
      const times = fillsBytes({ plan, ...one }, maxBytes) ? timesInBytes : isTried ? timesTried : 1
      const rendering = weigh(renderingWork(plan, one.clips, quality), film, times)
      return addWorks([rendering, checksOf(plan, one.clips)])
    }),
    ...inOrder(results.outputs)
      .slice(films.length)
      .map((output) => {
        const one = cutOf(results, output)
        if (isStreamOutput(output)) return streamWork(one, output)
        const pixels = isMovingOutput(output) ? movingPixels(one, output) : 0
        return otherWork(output.outputFormat, sourceOf(one), secondsLeft(one), pixels)
      }),
  ]
}
