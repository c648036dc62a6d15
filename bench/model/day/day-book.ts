import { inputs } from '../inputs.ts'
import { steps, type Count, type Step } from '../measured.ts'

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
}

type Happening = 'created' | 'waited' | 'started' | 'ended' | 'failed' | 'refused'

/** Which steps each thing that happens comes to; what goes on all the time is added by the minute. */
const stepsOf: Readonly<Record<Happening, readonly Step[]>> = {
  created: ['create'],
  waited: ['wait'],
  started: ['start', 'phase', 'phase', 'phase'],
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
  #minute = 0

  constructor({ from, until }: { from: number; until: number }) {
    this.#from = from * 60 * minuteMs
    const none = () => new Array<number>((until - from) * 60 + 600).fill(0)
    this.#minutes = {
      ...{ created: none(), waited: none(), started: none(), ended: none(), failed: none() },
      ...{ refused: none(), running: none(), waiting: none() },
    }
  }

  entered(now: number): void {
    if (this.#line > 0) this.note('waited', now)
  }

  /** Its first attempt begins. */
  waited(createdAt: number, now: number): void {
    this.#waits.push((now - createdAt) / 1000)
  }

  started(now: number): void {
    this.#running++
    this.note('started', now)
  }

  ended(now: number, isRepeated: boolean): void {
    this.note(isRepeated ? 'failed' : 'ended', now)
    this.#running--
  }

  look(now: number, line: number): void {
    this.#line = line
    this.#longest = Math.max(this.#longest, line)
    const minute = this.#minuteOf(now)
    while (this.#minute <= minute) {
      this.#minutes.running[this.#minute] = this.#running
      this.#minutes.waiting[this.#minute] = line
      this.#minute++
    }
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
    }
  }

  #busiest(counts: readonly Count[]): number {
    const each = (step: Step): number => counts.reduce((sum, count) => sum + steps[step][count], 0)
    const { running, waiting } = this.#minutes
    const reads = 60 / inputs.statusEverySeconds.value
    let most = 0
    for (const [minute, run] of running.entries()) {
      let sum = run * (inputs.reportsAMinute.value * each('report') + each('alarm'))
      sum += run * reads * each('read, running')
      sum += (waiting[minute] ?? 0) * reads * each('read, waiting')
      for (const [what, of] of Object.entries(stepsOf)) {
        const happened = this.#minutes[what as Happening][minute] ?? 0
        for (const step of of) sum += happened * each(step)
      }
      most = Math.max(most, sum)
    }
    return most / 60
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
