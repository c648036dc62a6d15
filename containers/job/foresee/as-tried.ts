import type { Estimate } from '../report/estimate.ts'
import type { Ahead } from '../report/steps.ts'
import { runsSpread, type Work } from '../report/work-kinds.ts'

/** What trials in a few places tell of an encode. */
export type Tried = {
  /** The processor time of one run, if it could be measured. */
  readonly run: Estimate | undefined
  /** How often the film is likely to be encoded; undefined if past jobs tell this better. */
  readonly runs: number | undefined
}

/**
 * The work of a rendering whose encode was tried in a few places. They tell more about this footage than past jobs, which judge
 * it by the bits of its source. `expected`: what these expected of the same encode.
 */
export function asTried(ahead: Ahead, { run, runs }: Tried, expected: Estimate): Ahead {
  const { rendering, looking } = ahead
  const one = rendering && workTried(rendering, run, expected)
  return {
    ...ahead,
    ...(one && { rendering: runs === undefined ? one : repeated(one, runs, expected) }),
    ...(looking && { looking: workTried(looking, run, expected) }),
    ...(runs !== undefined && { runs: undefined }),
  }
}

/** One run of a work. */
export function workTried(work: Work, run: Estimate | undefined, expected: Estimate): Work {
  if (!run) return work
  const [own, past] = [1 / run.spread ** 2, 1 / expected.spread ** 2]
  const ratio = (run.ms / expected.ms) ** (own / (own + past))
  return { ...work, units: work.units * ratio, spread: 1 / Math.sqrt(own + past) }
}

function repeated(work: Work, runs: number, { spread }: Estimate): Work {
  if (runs === 1) return work
  const own = Math.hypot(work.spread ?? spread, runsSpread)
  return { ...work, units: work.units * runs, spread: own }
}
