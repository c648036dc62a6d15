import type { Estimate } from '../report/estimate.ts'
import type { Ahead } from '../report/steps.ts'
import type { Work } from '../report/work-kinds.ts'

/** The processor time of one run of an encode that was tried in a few places, and how often the film will be encoded. */
export type Tried = Estimate & { readonly runs: number }

/**
 * The work of a rendering whose encode was tried in a few places. They tell more about this footage than past jobs, which judge
 * it by the bits of its source. `expected`: what these expected of the same encode.
 */
export function asTried(ahead: Ahead, tried: Tried, expected: Estimate): Ahead {
  const [own, past] = [1 / tried.spread ** 2, 1 / expected.spread ** 2]
  const ratio = (tried.ms / expected.ms) ** (own / (own + past))
  const spread = 1 / Math.sqrt(own + past)
  const scaled = (work: Work, times: number): Work => ({
    ...work,
    units: work.units * ratio * times,
    spread,
  })
  const { rendering, looking } = ahead
  return {
    ...ahead,
    ...(rendering && { rendering: scaled(rendering, tried.runs) }),
    ...(looking && { looking: scaled(looking, 1) }),
  }
}
