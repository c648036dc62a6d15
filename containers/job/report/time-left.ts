import type { Paces, TimeLeftRange as Told, WorkDone } from '../../../worker/contract/job/paces.ts'
import type { Phase } from '../../../worker/contract/video/video-state.ts'
import {
  later,
  notYet,
  noteShare,
  nothing,
  sum,
  tellingMore,
  whenHeard,
  type Estimate,
  type TimedPass,
} from './estimate.ts'
import { isAwaited, Past, workOfPrograms, type Measure } from './past.ts'
import { endsOfBar, isStep, runsPrograms, steps, type Ahead, type JobStep } from './steps.ts'
import {
  encodingOf,
  errorsOf,
  judgePast,
  noError,
  processorOf,
  type Forecast,
} from './usual-error.ts'
import { lookShare, unknownAgain } from './work-ahead.ts'
import { hasStart, processorMsOf, work, type Work } from './work-kinds.ts'

const certainSpread = 0.35
/** Nine of ten values are within this many standard deviations. */
const ofRange = 1.3

/** By how much starts, ends and reports vary in any job. */
const slackMs = 200

type DoneSoFar = {
  readonly phases: readonly { readonly name: string; readonly durationMs: number }[]
  readonly processorMs?: number | undefined
}

/** How often an encode will run is uncertain: an estimate assumes the likely number of runs, the fewest or the most. */
type Reckoned = 'likely' | 'least' | 'most'

/**
 * How much longer a job works, judged by the pace of the present phase and, for the others, by how long past jobs took for such
 * work. The bar follows this forecast: it is full when the job is expected to end, slows down if that moves away, and never
 * stands still.
 */
export class TimeLeft {
  readonly #past: Past
  readonly #now: () => number
  readonly #whole: Work
  readonly #likeness: string | undefined
  #usual = noError
  #ahead: Ahead = { fetching: { ...work('fetching'), isMixed: true } }
  /** The work ahead before the rendering was planned; undefined until it is planned. */
  #unplanned: Ahead | undefined
  #phase: JobStep = 'fetching'
  #pass: TimedPass
  /** How often the rendering has run. */
  #rendered = 0
  #again = 0
  /** How long the quick look at the pictures has taken, and the checks of the film. */
  #lookedMs = 0
  #checkedMs = 0
  /** How long the programs of this job took to start. */
  readonly #startsMs: number[] = []
  /** When the last report of the rendering or of its checks came. */
  #renderedAt = 0
  /** How long the rendering continued after all of its pictures were done. */
  #endMs: number | undefined
  /** The work beside the phases, as far as its reports tell. */
  readonly #beside: { [Name in 'hearing' | 'analysing']?: TimedPass } = {}
  #percent = 0
  /** Where the bar was when this run began. */
  #passBegunAt = 0
  readonly #begunAt: number
  #countedAt: number

  constructor(
    paces: Paces = {},
    now: () => number = () => performance.now(),
    whole: Work = work('whole'),
    likeness?: string,
    taken: Measure = 'time',
  ) {
    this.#past = new Past(paces, taken)
    this.#now = now
    this.#whole = whole
    this.#likeness = likeness
    this.#begunAt = now()
    this.#countedAt = this.#begunAt
    this.#pass = { begunAt: now(), share: 0, heardAt: now() }
  }

  /** Notes what is known about the work of the phases. */
  expect(ahead: Ahead): void {
    this.#count()
    // A rendering reported without a look has neither that nor further runs.
    const usual = ahead.rendering && { looking: undefined, runs: undefined }
    if (ahead.rendering && !ahead.measuring) this.#unplanned ??= this.#ahead
    this.#ahead = { ...this.#ahead, ...usual, ...ahead }
    this.#usual = judgePast(this.#forecast, 'time')
    this.#past.factor = this.#usual.factor
    if (ahead.checking && !ahead.rendering) this.#hear('checking', 0, 0)
    // Another way of rendering starts from the beginning.
    if (ahead.rendering && this.#phase === 'rendering') {
      if (ahead.looking) this.#phase = 'looking'
      this.#begin(0)
    }
  }

  /** Notes how much of the phase is done, from 0 to 1. If that falls back, a further run has begun; `again` may follow it. */
  hear(phase: Phase, share: number, again = 0): void {
    if (phase !== 'rendering' || !this.#ahead.looking) this.#hear(phase, share, again)
    else if (share < lookShare) this.#hear('looking', share / lookShare, again)
    else this.#hear('rendering', (share - lookShare) / (1 - lookShare), again)
  }

  #hear(phase: JobStep, share: number, again: number): void {
    this.#count()
    const now = this.#now()
    const { begunAt, share: before, heardAt } = this.#pass
    if (phase !== this.#phase) {
      if (steps.indexOf(phase) < steps.indexOf(this.#phase)) return
      if (this.#phase === 'rendering') this.#rendered += before
      if (this.#phase === 'rendering' || this.#phase === 'checking') this.#renderedAt = heardAt
      if (this.#phase === 'looking') this.#lookedMs = now - begunAt
      if (this.#phase === 'checking') this.#checkedMs = now - begunAt
      if (runsPrograms(this.#phase)) this.#noteStart()
      this.#phase = phase
      this.#begin(share)
    } else if (share < before - 0.05) {
      this.#rendered += before
      this.#noteStart()
      this.#begin(share, this.#asBefore(now - begunAt))
    } else noteShare(this.#pass, share, now)
    this.#again = again
  }

  #begin(share: number, expected?: Estimate): void {
    const now = this.#now()
    this.#pass = { begunAt: now, share, heardAt: now, expected }
    this.#passBegunAt = this.#percent
  }

  /** The estimate for a run after one that took this long. */
  #asBefore(passedMs: number): Estimate {
    const { share } = this.#pass
    const aroundMs = Math.min(this.#past.start(this.#ahead[this.#phase]).ms, passedMs / 2)
    return { ms: (passedMs - aroundMs) / share, spread: 0.15 + 0.03 / share }
  }

  /** Notes how long the program of this run took to start and to end, if its reports tell how fast it worked. */
  #noteStart(): void {
    const { begunAt, first, share, heardAt } = this.#pass
    if (!first || share - first.share < 2 * tellingMore) return
    const shareMs = (heardAt - first.at) / (share - first.share)
    const startMs = first.at - begunAt - first.share * shareMs
    const endMs = this.#now() - heardAt - (1 - share) * shareMs
    if (this.#phase === 'rendering' && endMs > 0) this.#endMs = endMs
    if (startMs <= 0) return
    this.#startsMs.push(startMs)
  }

  /** Notes how far the transcript or the analysis is. */
  hearBeside(name: 'hearing' | 'analysing', share: number): void {
    this.#count()
    const now = this.#now()
    const known = this.#beside[name]
    if (!known) this.#beside[name] = { begunAt: now, share, heardAt: now }
    else noteShare(known, share, now)
  }

  /** From 0 to below 100, and never less than before. */
  get percent(): number {
    this.#count()
    return Math.floor(this.#percent * 10) / 10
  }

  get left(): Told {
    const end = (reckoned: Reckoned, side: number) => {
      const { ms, spread } = this.#judged(reckoned)
      const at = ms * Math.exp(side * ofRange * spread) + side * slackMs
      return Math.round((Math.max(0, at) / 1000) * 10) / 10
    }
    return { seconds: end('likely', 0), least: end('least', -1), most: end('most', 1) }
  }

  /** For how long the forecast is certain; Infinity while it may be far off. */
  get certainMs(): number {
    const { ms, spread } = this.#judged()
    return spread <= certainSpread ? ms : Infinity
  }

  /** The work done in each phase, for the forecasts of later jobs. */
  done({ phases, processorMs = 0 }: DoneSoFar): WorkDone[] {
    const ms = phases.reduce(
      (left, { name, durationMs }) => (isAwaited(name) ? left - durationMs : left),
      this.#now() - this.#begunAt,
    )
    const [startMs] = this.#startsMs
    const ran = { startMs: startMs ?? this.#past.of(work('starting')).ms }
    const looked = this.#lookedMs > 0 && this.#ahead.looking
    const named = phases.flatMap(({ name, durationMs }) => {
      const known = this.#workNamed(name)
      if (!known || known.isMixed) return []
      if (name !== 'rendering') return [{ ...known, ms: durationMs }]
      if (this.#hasWaited) return []
      const endMs = hasStart(known) ? (this.#endMs ?? this.#past.of(work('ending')).ms) : 0
      const ms = durationMs - this.#lookedMs - this.#checkedMs - endMs
      return workOfPrograms(known, { ...ran, ms, passes: Math.max(1, this.#rendered) })
    })
    const look = looked ? workOfPrograms(looked, { ...ran, ms: this.#lookedMs, passes: 1 }) : []
    const checked = this.#checkedMs > 0 && this.#ahead.checking
    const check = checked ? [{ ...checked, ms: this.#checkedMs }] : []
    const start = startMs === undefined ? [] : [{ ...work('starting'), ms: startMs }]
    const end = this.#endMs === undefined ? [] : [{ ...work('ending'), ms: this.#endMs }]
    const worked = phases.filter(({ name }) => !isAwaited(name))
    const busyMs = worked.reduce(
      (all, { name, durationMs }) => all + processorMsOf(this.#workNamed(name), durationMs),
      processorMsOf(this.#ahead.checking, this.#checkedMs) -
        processorMsOf(this.#ahead.rendering, this.#checkedMs),
    )
    const { runs } = this.#ahead
    const wholes = [work('whole'), this.#whole].slice(this.#whole.kind === 'whole' ? 1 : 0)
    return [
      ...named,
      ...look,
      ...check,
      ...(runs ? [{ ...runs, ms: 1_000 * Math.max(1, this.#rendered) }] : []),
      ...start,
      ...end,
      ...wholes.map((one) => ({ ...one, ms })),
      ...(busyMs > 0 && processorMs > 0
        ? [{ kind: this.#ahead.busy ?? 'processor', units: busyMs, ms: processorMs }]
        : []),
      ...errorsOf(this.#forecast, { time: ms, processor: processorMs }),
    ]
  }

  /** A film with chapters waits for the transcript, so its phase does not tell how long such a rendering takes. */
  get #hasWaited(): boolean {
    return (this.#beside.hearing?.heardAt ?? 0) > this.#renderedAt + slackMs
  }

  /** The processor time of the whole job. */
  get processor(): Estimate {
    return processorOf(this.#forecast)
  }

  /** The part of it that one run of a rendering takes, without the start and the end of its program. */
  encoding(rendering: Work | undefined): Estimate {
    return encodingOf({ ...this.#forecast, ahead: { ...this.#ahead, rendering } })
  }

  get #forecast(): Forecast {
    return {
      ...{ likeness: this.#likeness, paces: this.#past.paces },
      ...{ ahead: this.#ahead, unplanned: this.#unplanned },
      told: (...asked) => this.#told(...asked),
    }
  }

  /** The whole job once its files are here, judged by these paces. */
  #told(taken: Measure, ahead: Ahead, paces: Paces, factor = 1): Estimate {
    const told = new TimeLeft(paces, () => 0, this.#whole, undefined, taken)
    told.expect(ahead)
    told.#past.factor = factor
    told.hear('measuring', 0)
    return told.#estimate()
  }

  #workNamed(name: string): Work | undefined {
    if (name === 'transcribing') return this.#ahead.transcribing ?? this.#ahead.hearing
    if (name === 'waiting') return undefined
    return name === 'analysing' || isStep(name) ? this.#ahead[name] : undefined
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
    const [begin, last] = endsOfBar(this.#phase, this.#ahead)
    // An encode may have to run again, which is not known until it has ended.
    const end = this.#phase === 'rendering' ? 100 - 10 / 2 ** Math.round(this.#rendered) : last
    const from = Math.max(begin, Math.min(this.#passBegunAt, end))
    const own = from + ((end - from) * this.#pass.share) / (1 + this.#again)
    return Math.min(own, this.#besideEnd)
  }

  /** Transcribing beside the phases holds the bar as if it were a phase. */
  get #besideEnd(): number {
    const { hearing } = this.#beside
    if (!this.#ahead.hearing || !hearing || hearing.share >= 1) return 100
    const [begin, end] = endsOfBar('hearing', this.#ahead)
    return begin + (end - begin) * hearing.share
  }

  /** As certain as forecasts of such jobs have been, where past jobs decide it and not the measured pace. */
  #judged(reckoned: Reckoned = 'likely'): Estimate {
    const { ms, spread } = this.#estimate(reckoned)
    const shown = this.#pass.first ? this.#currentLeft(reckoned).ms : 0
    const share = ms > 0 && this.#ahead.measuring ? 1 - Math.min(1, shown / ms) : 0
    const { weight, spread: usual } = this.#usual
    const known = Math.sqrt(weight * usual ** 2 + (1 - weight) * spread ** 2)
    return { ms, spread: share * known + (1 - share) * spread }
  }

  #estimate(reckoned: Reckoned = 'likely'): Estimate {
    const current = this.#currentLeft(reckoned)
    // Until the footage is known, it is expected to take as long as in past jobs.
    if (!this.#ahead.measuring) return sum([current, this.#past.whole(this.#whole)])
    const ahead = steps.slice(steps.indexOf(this.#phase) + 1)
    const untilRendered = [
      current,
      ...ahead.flatMap((name) => (name === 'uploading' ? [] : this.#stepAhead(name, reckoned))),
    ]
    const hearing = this.#besideLeft('hearing')
    const analysing = this.#besideLeft('analysing')
    const uploading = this.#phase === 'uploading' ? [] : [this.#past.whole(this.#ahead.uploading)]
    const rendered = sum(untilRendered)
    return later(sum([rendered, ...uploading]), sum([later(rendered, hearing), analysing]))
  }

  #stepAhead(name: JobStep, reckoned: Reckoned): Estimate {
    const one = this.#past.whole(this.#ahead[name])
    const times = name === 'rendering' ? this.#runsAhead(reckoned) : 1
    return { ...one, ms: one.ms * times }
  }

  /** How often a rendering that has not begun is likely to run. */
  #runsAhead(reckoned: Reckoned): number {
    const { runs } = this.#ahead
    if (!runs || reckoned === 'least') return 1
    const { ms, spread } = this.#past.of(runs)
    return Math.max(1, (ms / 1000) * (reckoned === 'most' ? Math.exp(ofRange * spread) : 1))
  }

  #currentLeft(reckoned: Reckoned): Estimate {
    const now = this.#now()
    const { begunAt, share, heardAt } = this.#pass
    const one = this.#passLeft()
    const again = this.#furtherRuns(reckoned)
    if (again === 0) return one
    const runMs = (share > 0 ? heardAt : now) - begunAt + one.ms
    return sum([one, { ms: runMs * again, spread: one.spread + 0.1 }])
  }

  /** How many runs follow: known only once this one has written some pictures. One that is too large may be stopped. */
  #furtherRuns(reckoned: Reckoned): number {
    const again = this.#again
    const isSilent = this.#phase === 'rendering' && this.#pass.first === undefined
    const isUnknown = (again === unknownAgain || isSilent) && this.#ahead.runs !== undefined
    // Past jobs tell how many runs are due, as long as these are not done.
    const due = this.#runsAhead('likely') - 1 - this.#rendered
    const likely = isUnknown ? Math.max(this.#rendered === 0 ? 0 : again, due) : again
    if (reckoned === 'likely' || (again === 0 && !isUnknown)) return likely
    if (reckoned === 'least') return again < 1 ? 0 : again * 0.6
    return isUnknown
      ? Math.max(1, this.#runsAhead('most') - 1 - this.#rendered)
      : again < 0.1
        ? again
        : Math.ceil(again)
  }

  #passLeft(): Estimate {
    const now = this.#now()
    const { begunAt, heardAt, expected } = this.#pass
    const wanted = expected ?? this.#past.between(this.#ahead[this.#phase])
    const start = this.#past.start(this.#ahead[this.#phase])
    const end = this.#past.end(this.#ahead[this.#phase])
    // The proof of a cut takes at least as long as everything before it, and does not report its progress.
    if (this.#pass.first && this.#ahead[this.#phase]?.kind !== 'cutting') {
      return notYet(sum([whenHeard(wanted, this.#pass, start.ms), end]), now - heardAt)
    }
    if (start === nothing) return notYet(wanted, now - begunAt)
    return sum([notYet(start, now - begunAt), wanted, end])
  }

  #besideLeft(name: 'hearing' | 'analysing'): Estimate {
    const wanted = this.#ahead[name]
    const pass = this.#beside[name]
    if (!wanted || (pass && pass.share >= 1)) return nothing
    // Measuring comes before transcribing.
    const before = this.#phase === 'measuring' ? [this.#passLeft()] : []
    const prior = sum([...before, this.#past.whole(wanted)])
    if (!pass) return prior
    const now = this.#now()
    return pass.first
      ? notYet(whenHeard(prior, pass, 0), now - pass.heardAt)
      : notYet(prior, now - pass.begunAt)
  }
}
