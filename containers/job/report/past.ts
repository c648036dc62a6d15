import type { Paces, WorkDone } from '../../../worker/contract/job/paces.ts'
import { nothing, sum, type Estimate } from './estimate.ts'
import {
  hasStart,
  isLook,
  paceOf,
  processorMsOf,
  usualTime,
  work,
  type Work,
} from './work-kinds.ts'

/** What is forecast of a job: the time on the clock, or that of all processors together. */
export type Measure = 'time' | 'processor'

/** How long works take, judged by past jobs. `factor`: how much longer similar jobs have taken than their works suggest. */
export class Past {
  readonly paces: Paces
  readonly #taken: Measure
  factor = 1

  constructor(paces: Paces, taken: Measure) {
    this.paces = paces
    this.#taken = taken
  }

  /** Judged only by the pace of this kind of work. */
  of(wanted: Work | undefined): Estimate {
    if (!wanted) return nothing
    const { ms, spread: usual } = paceOf(wanted.kind, this.paces)
    const taken = ms * wanted.units
    const spread = wanted.spread ?? usual
    return { ms: this.#taken === 'processor' ? processorMsOf(wanted, taken) : taken, spread }
  }

  /** The whole work, with the start and the end of its program. */
  whole(wanted: Work | undefined): Estimate {
    return sum([this.start(wanted), this.between(wanted), this.end(wanted)])
  }

  /** The time between the start and the end of its program. */
  between(wanted: Work | undefined): Estimate {
    const past = this.of(wanted)
    const isOwn = wanted?.kind === 'fetching' || wanted?.kind.startsWith('whole')
    // What jobs with such options took besides says nothing about an encode that was tried.
    const isTried = wanted?.spread !== undefined
    return isOwn || isTried ? past : { ...past, ms: past.ms * this.factor }
  }

  start(wanted: Work | undefined): Estimate {
    return wanted && hasStart(wanted) ? this.between(work('starting')) : nothing
  }

  end(wanted: Work | undefined): Estimate {
    const ends = wanted && hasStart(wanted) && !isLook(wanted.kind)
    return ends ? this.between(work('ending')) : nothing
  }
}

/** If a work usually takes less, its time is mostly the one-off cost of any program. */
const leastTellingMs = 150

type Ran = { readonly ms: number; readonly passes: number; readonly startMs: number }

/** The works of programs without their starts; none if a work is too small to tell its pace. */
export function workOfPrograms(one: Work, { ms, passes, startMs }: Ran): WorkDone[] {
  const workMs = ms - (hasStart(one) ? startMs * passes : 0)
  const tells = workMs > ms / 2 && usualTime(one) >= leastTellingMs
  return tells ? [{ kind: one.kind, units: one.units * passes, ms: workMs }] : []
}

/** Time spent waiting for sources, or while other jobs have the slot, does not count as this job's work. */
export function isAwaited(phase: string): boolean {
  return phase === 'fetching' || phase === 'waiting'
}
