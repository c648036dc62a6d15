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

/** What a job takes: of the clock, or of all processors together. */
export type Taken = 'time' | 'processor'

/** How long works take, as past jobs tell. `factor`: how much longer jobs that are alike have taken than their works tell. */
export class Past {
  readonly paces: Paces
  readonly #taken: Taken
  factor = 1

  constructor(paces: Paces, taken: Taken) {
    this.paces = paces
    this.#taken = taken
  }

  /** By the pace of the work alone. */
  of(wanted: Work | undefined): Estimate {
    if (!wanted) return nothing
    const { ms, spread } = paceOf(wanted.kind, this.paces)
    const taken = ms * wanted.units
    return { ms: this.#taken === 'processor' ? processorMsOf(wanted, taken) : taken, spread }
  }

  /** All of a work, with the start and the end of its program. */
  whole(wanted: Work | undefined): Estimate {
    return sum([this.start(wanted), this.between(wanted), this.end(wanted)])
  }

  /** What a program does between its start and its end. */
  between(wanted: Work | undefined): Estimate {
    const past = this.of(wanted)
    const isOwn = wanted?.kind === 'fetching' || wanted?.kind.startsWith('whole')
    return isOwn ? past : { ...past, ms: past.ms * this.factor }
  }

  start(wanted: Work | undefined): Estimate {
    return wanted && hasStart(wanted) ? this.between(work('starting')) : nothing
  }

  end(wanted: Work | undefined): Estimate {
    const ends = wanted && hasStart(wanted) && !isLook(wanted.kind)
    return ends ? this.between(work('ending')) : nothing
  }
}

/** Of a work that usually takes less, the time is that of what any program does once. */
const leastTellingMs = 150

type Ran = { readonly ms: number; readonly passes: number; readonly startMs: number }

/** The work of programs without their starts; nothing if it is too small to tell its pace. */
export function workOfPrograms(one: Work, { ms, passes, startMs }: Ran): WorkDone[] {
  const workMs = ms - (hasStart(one) ? startMs * passes : 0)
  const tells = workMs > ms / 2 && usualTime(one) >= leastTellingMs
  return tells ? [{ kind: one.kind, units: one.units * passes, ms: workMs }] : []
}

/** The time in which sources are on their way, or others have the slot, is not this job's work. */
export function isAwaited(phase: string): boolean {
  return phase === 'fetching' || phase === 'waiting'
}
