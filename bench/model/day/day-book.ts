import { inputs } from '../inputs.ts'
import { countNames, rareSteps, steps, type Count, type Counts, type Step } from '../measured.ts'

const minuteMs = 60_000

export type DayFigures = {
  videos: number
  /** From the create to the claim, in seconds. */
  waited: { p50: number; p95: number; p99: number; most: number }
  longestLine: number
  mostSlots: number
  /** In the busiest minute, for each second of it. */
  dispatcherCalls: number
  objectCalls: number
  statements: number
  requests: number
  retries: number
  refusals: number
  /** Of everything, all day. */
  uses: Counts
}

type Span = readonly [from: number, until: number]
/** How often is told and asked; as the inputs say, if a day says nothing else. */
export type Paces = { reportsAMinute: number; statusEverySeconds: number }

/** Which steps each thing that happens comes to; what goes on all the time is added by the minute. */
const stepsOf = {
  created: ['create'],
  keyNoted: ['key noted'],
  budgetsRead: ['budgets read'],
  waited: ['wait'],
  postponed: ['start postponed'],
  refused: ['call refused'],
  readWaiting: ['read, waiting'],
  startedAtOnce: ['start'],
  startedInLine: ['called'],
  worked: ['fetched', 'phase', 'phase', 'phase'],
  readRunning: ['read, running'],
  rang: ['alarm'],
  lineRang: ['line rang'],
  ended: ['upload', 'end', 'webhook', 'read, ended', 'forget'],
  failed: ['attempt failed'],
} as const satisfies Record<string, readonly (Step | keyof typeof rareSteps)[]>
type Happening = keyof typeof stepsOf
const happenings = Object.keys(stepsOf) as Happening[]
const used: Readonly<Record<string, Counts>> = { ...steps, ...rareSteps }

/** Writes down what happens, by the minute. */
export class DayBook {
  readonly #from: number
  readonly #minutes: Record<Happening | 'running', number[]>
  readonly #waits: number[] = []
  #longest = 0
  #running = 0
  #now: number

  readonly #paces: Paces
  readonly #countedMinutes: number

  constructor({ from, until, paces }: { from: number; until: number; paces?: Paces | undefined }) {
    const { reportsAMinute, statusEverySeconds } = inputs
    this.#paces = paces ?? {
      reportsAMinute: reportsAMinute.value,
      statusEverySeconds: statusEverySeconds.value,
    }
    this.#countedMinutes = (until - from) * 60
    this.#from = from * 60 * minuteMs
    this.#now = this.#from
    const none = () => new Array<number>((until - from) * 60 + 600).fill(0)
    const minutes = [...happenings, 'running'].map((what) => [what, none()])
    this.#minutes = Object.fromEntries(minutes) as Record<Happening | 'running', number[]>
  }

  /** Its first attempt begins. */
  waited(createdAt: number, now: number): void {
    this.#waits.push((now - createdAt) / 1000)
  }

  started(now: number, isCalled: boolean): void {
    this.#pass(now)
    this.#running++
    this.note(isCalled ? 'startedInLine' : 'startedAtOnce', now)
    this.note('worked', now)
  }

  ended(now: number, isRepeated: boolean): void {
    this.#pass(now)
    this.note(isRepeated ? 'failed' : 'ended', now)
    this.#running--
  }

  look(line: number): void {
    this.#longest = Math.max(this.#longest, line)
  }

  /**
   * The reads of a client while its video was in one state. It reads for the first time a pause after its create, so that it
   * hardly ever sees a video wait that only waits for its container.
   */
  read(what: 'readWaiting' | 'readRunning', createdAt: number, [from, until]: Span): void {
    const everyMs = this.readEveryMs
    for (let n = Math.floor((from - createdAt) / everyMs) + 1; ; n++) {
      const at = createdAt + n * everyMs
      if (at > until) break
      this.note(what, at)
    }
  }

  /** The alarm of a job that runs rings after each whole minute. */
  rang([from, until]: Span): void {
    for (let at = from + minuteMs; at < until; at += minuteMs) this.note('rang', at)
  }

  get readEveryMs(): number {
    return this.#paces.statusEverySeconds * 1000
  }

  /** Each minute gets what ran in it on average: in a quiet one, no single moment stands for the others. */
  #pass(now: number): void {
    const { running } = this.#minutes
    for (let at = this.#now; at < now;) {
      const minute = this.#minuteOf(at)
      const until = Math.min(now, this.#from + (minute + 1) * minuteMs)
      const share = (until - at) / minuteMs
      running[minute] = (running[minute] ?? 0) + share * this.#running
      at = until
    }
    this.#now = now
  }

  figures(mostSlots: number): DayFigures {
    const waits = Float64Array.from(this.#waits).sort()
    const at = (share: number): number => waits[Math.floor(share * (waits.length - 1))] ?? 0
    const busiest = (counts: readonly Count[]): number => this.#busiest(counts)
    return {
      videos: waits.length,
      waited: { p50: at(0.5), p95: at(0.95), p99: at(0.99), most: at(1) },
      longestLine: this.#longest,
      mostSlots,
      dispatcherCalls: busiest(['dispatcherCalls']),
      objectCalls: busiest(['gateCalls', 'runnerCalls', 'dispatcherCalls', 'endpointCalls']),
      statements: busiest(['statements']),
      requests: busiest(['workerRequests']),
      retries: this.#minutes.failed.reduce((sum, n) => sum + n, 0),
      refusals: this.#minutes.refused.reduce((sum, n) => sum + n, 0),
      uses: Object.fromEntries(countNames.map((count) => [count, this.#allDay(count)])) as Counts,
    }
  }

  #busiest(counts: readonly Count[]): number {
    return Math.max(0, ...this.#byMinute(counts)) / 60
  }

  /** What the minutes leave out comes on top: downloads, and the sweep. */
  #allDay(count: Count): number {
    const ended = this.#minutes.ended.reduce((sum, n) => sum + n, 0)
    const downloads = ended * inputs.downloads.value * steps.download[count]
    const swept = this.#countedMinutes * steps.sweep[count]
    return this.#byMinute([count]).reduce((sum, n) => sum + n, downloads + swept)
  }

  #byMinute(counts: readonly Count[]): number[] {
    const each = (step: string): number =>
      counts.reduce((sum, count) => sum + (used[step]?.[count] ?? 0), 0)
    const perHappening = happenings.map((what) => {
      const names: readonly string[] = stepsOf[what]
      return [what, names.reduce((sum, step) => sum + each(step), 0)] as const
    })
    const { running } = this.#minutes
    const perRunning = this.#paces.reportsAMinute * each('report')
    return running.map((run, minute) =>
      perHappening.reduce(
        (sum, [what, n]) => sum + n * (this.#minutes[what][minute] ?? 0),
        run * perRunning,
      ),
    )
  }

  note(what: Happening, now: number): void {
    const minutes = this.#minutes[what]
    const minute = this.#minuteOf(now)
    minutes[minute] = (minutes[minute] ?? 0) + 1
  }

  #minuteOf(now: number): number {
    return Math.floor((now - this.#from) / minuteMs)
  }
}
