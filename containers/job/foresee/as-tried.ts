import type { Estimate } from '../report/estimate.ts'
import type { Ahead } from '../report/steps.ts'
import type { Work } from '../report/work-kinds.ts'

/** The processor time of one run of an encode that was tried in a few places, and how often the film will be encoded. */
export type Tried = Estimate & { readonly runs: number }

/**
 * The work of a rendering whose encode was tried in a few places. They tell more about this footage than past jobs, which judge
 * it by the bits of its source. `expected`: what these expected of the same encode.
 */
export function asTried(ahead: Ahead, { runs, ...tried }: Tried, expected: Estimate): Ahead {
  const { rendering, looking } = ahead
  return {
    ...ahead,
    ...(rendering && { rendering: workTried(rendering, { ...tried, runs }, expected) }),
    ...(looking && { looking: workTried(looking, { ...tried, runs: 1 }, expected) }),
  }
}

/** The same for one work. */
export function workTried(work: Work, { ms, spread: seen, runs }: Tried, expected: Estimate): Work {
  const [own, past] = [1 / seen ** 2, 1 / expected.spread ** 2]
  const ratio = (ms / expected.ms) ** (own / (own + past))
  return { ...work, units: work.units * ratio * runs, spread: 1 / Math.sqrt(own + past) }
}
