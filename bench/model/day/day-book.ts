import { inputs } from '../inputs.ts'
import { cutOffAlarms } from '../use-of-a-video.ts'
import { countNames, steps, type Count, type Counts, type Step } from '../measured.ts'

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

/** How often is told and asked; as the inputs say, if a day says nothing else. */
export type Paces = { reportsAMinute: number; statusEverySeconds: number }

type Happening = 'created' | 'waited' | 'started' | 'ended' | 'failed' | 'refused'

/** Which steps each thing that happens comes to; what goes on all the time is added by the minute. */
const stepsOf: Readonly<Record<Happening, readonly Step[]>> = {
  created: ['create'],
  waited: ['wait'],
  started: ['start', 'fetched', 'phase', 'phase', 'phase'],
  ended: ['upload', 'end', 'webhook', 'read, ended', 'forget'],
  failed: ['attempt failed'],
  refused: ['called'],
}

/** Writes down what happens, by the minute. */
export class DayBook {
  readonly #from: number
  readonly #minutes: Record<Happening | 'running' | 'waiting', number[]>
  readonly #waits: number[] = []
  #longest = 0
  #running = 0
  #line = 0
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
    this.#minutes = {
      ...{ created: none(), waited: none(), started: none(), ended: none(), failed: none() },
      ...{ refused: none(), running: none(), waiting: none() },
    }
  }

  /** Its first attempt begins. */
  waited(createdAt: number, now: number): void {
    this.#waits.push((now - createdAt) / 1000)
  }

  started(now: number): void {
    this.#pass(now)
    this.#running++
    this.note('started', now)
  }

  ended(now: number, isRepeated: boolean): void {
    this.#pass(now)
    this.note(isRepeated ? 'failed' : 'ended', now)
    this.#running--
  }

  look(now: number, line: number): void {
    this.#pass(now)
    this.#line = line
    this.#longest = Math.max(this.#longest, line)
  }

  /** Each minute gets what ran and waited in it on average: in a quiet one, no single moment stands for the others. */
  #pass(now: number): void {
    const { running, waiting } = this.#minutes
    for (let at = this.#now; at < now;) {
      const minute = this.#minuteOf(at)
      const until = Math.min(now, this.#from + (minute + 1) * minuteMs)
      const share = (until - at) / minuteMs
      running[minute] = (running[minute] ?? 0) + share * this.#running
      waiting[minute] = (waiting[minute] ?? 0) + share * this.#line
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
    const each = (step: Step): number => counts.reduce((sum, count) => sum + steps[step][count], 0)
    const { running, waiting } = this.#minutes
    const { reportsAMinute, statusEverySeconds } = this.#paces
    const reads = 60 / statusEverySeconds
    return running.map((run, minute) => {
      const alarms = run - cutOffAlarms * (this.#minutes.started[minute] ?? 0)
      let sum = run * reportsAMinute * each('report') + alarms * each('alarm')
      // The read that sees the end takes the place of the last one, in the middle of a pause on average.
      const cutOff = 0.5 * (this.#minutes.started[minute] ?? 0)
      sum += (run * reads - cutOff) * each('read, running')
      sum += (waiting[minute] ?? 0) * reads * each('read, waiting')
      for (const [what, of] of Object.entries(stepsOf)) {
        const happened = this.#minutes[what as Happening][minute] ?? 0
        for (const step of of) sum += happened * each(step)
      }
      return sum
    })
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
