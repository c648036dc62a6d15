import type { Paces, TimeLeft as Told, WorkDone } from '../../../worker/contract/job/paces.ts'
import type { Phase } from '../../../worker/contract/video/video-state.ts'
import { lookShare, paceOf, work, type Work } from './work-ahead.ts'

/** A phase of the job; a rendering may begin with a quick look at all pictures. */
type Step = Phase | 'looking'

/** What is ahead in each step, and beside the phases; undefined: it takes no time worth naming. */
export type Ahead = {
  readonly [Name in Step | 'hearing' | 'analysing']?: Work | undefined
}

type Estimate = { readonly ms: number; readonly spread: number }

/** A run through the work of a phase, of which a rendering may have several. `expected`: as long as the one before it. */
type Pass = { begunAt: number; share: number; heardAt: number; expected?: Estimate | undefined }

const order: readonly Step[] = [
  'fetching',
  'measuring',
  'transcribing',
  'looking',
  'rendering',
  'uploading',
]
/** The bar goes no further while these phases last, whatever the forecast says: from their beginning to their end. */
const barEnds: Record<Step, readonly [begin: number, end: number]> = {
  fetching: [20, 40],
  measuring: [50, 60],
  transcribing: [94, 94],
  looking: [60, 90],
  rendering: [60, 99],
  uploading: [98, 99],
}
/** A smaller share, or a shorter time, says nothing about the pace. */
const tellingShare = 0.01
const tellingMs = 300
/** The work after a rendering: measuring the result, the still. */
const tailMs = 300
const certainSpread = 0.35
/** Four of five values are within this many standard deviations. */
const fourOfFive = 1.28

/**
 * How much longer a job works: told by the pace of the phase that goes on, and for the others by what past jobs took for
 * such work. The bar follows it: it comes to its end when the forecast does, slows down if that moves away, and never
 * stands still.
 */
export class TimeLeft {
  readonly #paces: Paces
  readonly #now: () => number
  #ahead: Ahead = { fetching: work('fetching') }
  #phase: Step = 'fetching'
  #pass: Pass
  /** How often the work of the rendering was done. */
  #rendered = 0
  #again = 0
  /** How long the quick look at the pictures has taken. */
  #lookedMs = 0
  readonly #beside = { hearing: { begunAt: 0, share: -1 }, analysing: { begunAt: 0, share: -1 } }
  #percent = 0
  /** Where the bar was when this run began. */
  #passBegunAt = 0
  #countedAt: number

  constructor(paces: Paces = {}, now: () => number = () => performance.now()) {
    this.#paces = paces
    this.#now = now
    this.#countedAt = now()
    this.#pass = { begunAt: now(), share: 0, heardAt: now() }
  }

  /** What is known now about the work of the phases. */
  expect(ahead: Ahead): void {
    this.#count()
    this.#ahead = { ...this.#ahead, ...ahead }
    // Another way of rendering begins from nothing.
    if (ahead.rendering && this.#phase === 'rendering') {
      if (ahead.looking) this.#phase = 'looking'
      this.#begin(0)
    }
  }

  /** How much of the phase is done, from 0 to 1. A share that falls back is that of a further run, of which `again` may follow. */
  hear(phase: Phase, share: number, again = 0): void {
    if (phase !== 'rendering' || !this.#ahead.looking) this.#hear(phase, share, again)
    else if (share < lookShare) this.#hear('looking', share / lookShare, again)
    else this.#hear('rendering', (share - lookShare) / (1 - lookShare), again)
  }

  #hear(phase: Step, share: number, again: number): void {
    this.#count()
    const now = this.#now()
    const { begunAt, share: before } = this.#pass
    if (phase !== this.#phase) {
      if (order.indexOf(phase) < order.indexOf(this.#phase)) return
      if (this.#phase === 'rendering') this.#rendered += before
      if (this.#phase === 'looking') this.#lookedMs = now - begunAt
      this.#phase = phase
      this.#begin(share)
    } else if (share < before - 0.05) {
      this.#rendered += before
      this.#begin(share, { ms: (now - begunAt) / before, spread: 0.15 + 0.03 / before })
    } else if (share > before) {
      this.#pass.share = share
      this.#pass.heardAt = now
    }
    this.#again = again
  }

  #begin(share: number, expected?: Estimate): void {
    const now = this.#now()
    this.#pass = { begunAt: now, share, heardAt: now, expected }
    this.#passBegunAt = this.#percent
  }

  /** Notes how far the transcript or the analysis is. */
  hearBeside(name: 'hearing' | 'analysing', share: number): void {
    const known = this.#beside[name]
    if (known.share < 0) known.begunAt = this.#now()
    known.share = Math.max(known.share, share)
  }

  /** From 0 to below 100, and never less than before. */
  get percent(): number {
    this.#count()
    return Math.floor(this.#percent * 10) / 10
  }

  get left(): Told {
    const { ms, spread } = this.#estimate()
    const seconds = ms / 1000
    const wide = Math.exp(fourOfFive * spread)
    return { seconds: tenths(seconds), least: tenths(seconds / wide), most: tenths(seconds * wide) }
  }

  /** Infinity while the forecast may be far off. */
  get certainMs(): number {
    const { ms, spread } = this.#estimate()
    return spread <= certainSpread ? ms : Infinity
  }

  /** What was done in each phase, for the forecasts of the jobs to come. */
  done(phases: readonly { name: string; durationMs: number }[]): WorkDone[] {
    const afterFetching = phases.filter(({ name }) => isPhase(name) && name !== 'fetching')
    const whole = afterFetching.reduce((total, { durationMs }) => total + durationMs, 0)
    const looked = this.#lookedMs > 0 && this.#ahead.looking
    const named = phases.flatMap(({ name, durationMs }) => {
      const known = this.#workNamed(name)
      if (!known) return []
      const ms = name === 'rendering' ? Math.max(0, durationMs - this.#lookedMs) : durationMs
      const passes = name === 'rendering' ? Math.max(1, this.#rendered) : 1
      return [{ kind: known.kind, units: known.units * passes, ms }]
    })
    const look = looked ? [{ ...looked, ms: this.#lookedMs }] : []
    return [...named, ...look, { ...work('whole'), ms: whole }]
  }

  #workNamed(name: string): Work | undefined {
    if (name === 'transcribing') return this.#ahead.transcribing ?? this.#ahead.hearing
    if (name === 'fetching' || name === 'waiting') return undefined
    return name === 'analysing' || isPhase(name) ? this.#ahead[name] : undefined
  }

  #count(): void {
    const now = this.#now()
    const passedMs = now - this.#countedAt
    if (passedMs <= 0) return
    this.#countedAt = now
    const { ms } = this.#estimate()
    const gained = ((99 - this.#percent) * passedMs) / (passedMs + ms)
    this.#percent = Math.max(this.#percent, Math.min(this.#barEnd, this.#percent + gained))
  }

  /** A phase that reports progress moves the bar, even if the forecast was wrong. */
  get #barEnd(): number {
    const [begin, last] = barEnds[this.#phase]
    // An encode may have to be run again, which nobody knows before it has ended.
    const end = this.#phase === 'rendering' ? 100 - 10 / 2 ** Math.round(this.#rendered) : last
    const from = Math.max(begin, Math.min(this.#passBegunAt, end))
    return from + ((end - from) * this.#pass.share) / (1 + this.#again)
  }

  #estimate(): Estimate {
    const current = this.#currentLeft()
    // What the footage will take is as in past jobs until it is known.
    if (!this.#ahead.measuring) return sum([current, this.#prior(work('whole'))])
    const ahead = order.slice(order.indexOf(this.#phase) + 1)
    const untilRendered = [
      current,
      ...ahead.filter((name) => name !== 'uploading').map((name) => this.#prior(this.#ahead[name])),
    ]
    const hearing = this.#besideLeft('hearing')
    const analysing = this.#besideLeft('analysing')
    const uploading = this.#phase === 'uploading' ? [] : [this.#prior(this.#ahead.uploading)]
    const rendered = sum(untilRendered)
    return later(sum([rendered, ...uploading]), sum([later(rendered, hearing), analysing]))
  }

  #currentLeft(): Estimate {
    const { begunAt, heardAt, share, expected } = this.#pass
    const passed = this.#now() - begunAt
    const prior = expected ?? this.#prior(this.#ahead[this.#phase])
    let one = leftOf(prior, { share, passed: heardAt - begunAt, since: this.#now() - heardAt })
    if (this.#phase === 'rendering' && share >= tellingShare) one = { ...one, ms: one.ms + tailMs }
    if (this.#again === 0) return one
    // Whether there will be another run shows only towards the end of one.
    const spread = this.#again % 1 === 0 ? one.spread + 0.2 : 0.6
    return sum([one, { ms: (passed + one.ms) * this.#again, spread }])
  }

  #besideLeft(name: 'hearing' | 'analysing'): Estimate {
    const wanted = this.#ahead[name]
    const { begunAt, share } = this.#beside[name]
    if (!wanted || share >= 1) return nothing
    const prior = this.#prior(wanted)
    // Both tell where they are in steps too coarse for a pace.
    if (share < 0) return prior
    return leftOf(prior, { share: 0, passed: 0, since: this.#now() - begunAt })
  }

  #prior(wanted: Work | undefined): Estimate {
    if (!wanted) return nothing
    const { ms, spread } = paceOf(wanted.kind, this.#paces)
    return { ms: ms * wanted.units, spread }
  }
}

const nothing: Estimate = { ms: 0, spread: 0 }

/** How far work has come: its share, the milliseconds it took, and the age of that report. */
type WorkReport = { readonly share: number; readonly passed: number; readonly since: number }

/** Joins what was expected with the pace that shows: the further the work, the more its own pace says. */
function leftOf(prior: Estimate, heard: WorkReport): Estimate {
  const { ms, spread } = whenHeard(prior, heard)
  const { since } = heard
  if (since < ms * 0.8) return { ms: ms - since, spread: (spread * ms) / (ms - since) }
  // Work that takes longer than expected is most likely not near its end.
  return { ms: Math.max(ms - since, since * 0.25), spread: Math.max(0.7, spread) }
}

function whenHeard(prior: Estimate, { share, passed }: WorkReport): Estimate {
  const rest = 1 - Math.min(share, 0.999)
  if (share < tellingShare || passed < tellingMs)
    return { ms: prior.ms * rest, spread: prior.spread }
  const own = { ms: (passed * rest) / share, spread: 0.06 + 0.15 * rest ** 2 + 0.008 / share }
  if (prior.ms === 0) return own
  // A past that is far from what shows here is that of other footage.
  const apart = Math.abs(Math.log(own.ms / (prior.ms * rest)))
  const [weight, other] = [1 / own.spread ** 2, 1 / Math.max(prior.spread, apart) ** 2]
  const log = (Math.log(own.ms) * weight + Math.log(prior.ms * rest) * other) / (weight + other)
  return { ms: Math.exp(log), spread: 1 / Math.sqrt(weight + other) }
}

function sum(all: readonly Estimate[]): Estimate {
  const ms = all.reduce((total, one) => total + one.ms, 0)
  if (ms === 0) return nothing
  const variance = all.reduce((total, one) => total + (one.ms * one.spread) ** 2, 0)
  return { ms, spread: Math.sqrt(variance) / ms }
}

function later(a: Estimate, b: Estimate): Estimate {
  return a.ms >= b.ms ? a : b
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10
}

function isPhase(name: string): name is Phase {
  return order.some((phase) => phase === name)
}
