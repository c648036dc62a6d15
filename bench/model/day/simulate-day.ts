import { Random } from '../../../fuzz/random.ts'
import type { Waiting } from '../../../worker/service/line/line.ts'
import { inputs, workSeconds } from '../inputs.ts'
import { DayBook, type DayFigures, type Paces } from './day-book.ts'
import { EventQueue } from './event-queue.ts'
import { Containers, troubles } from './platform.ts'
import { BudgetReads, KeyNotes } from './rare-uses.ts'
import { Slots } from './slots.ts'
import { arrivals } from './traffic.ts'

/**
 * From a job in the database to its object, by way of a queue: Cloudflare tells of 60 ms
 * (blog.cloudflare.com/how-we-built-cloudflare-queues, 2024-10-24), and the calls before and after it take 30.
 */
const queueMs = 90
/**
 * How long an offer waits for a container (worker/durable/media-workers/own-container.ts), how often it looks whether that is
 * ready (every half second, and the time of the question), and until the next one asks again.
 */
const offer = { patienceMs: 10_000, lookMs: 520, againMs: 5_000 }
/** From the message to the container that is started for it or refused, over the alarm of its job and the dispatcher. */
const offeredMs = 26
/** A container that has answered is given the job. */
const givenMs = 35
const maxAttempts = 3

export type Day = {
  perHour: number
  slots: number
  from: number
  until: number
  seed: number
  accounts?: number
  paces?: Paces
}

type Job = Waiting & {
  number: number
  attempts: number
  readyAt: number
  hasContainer: boolean
  /** Since it waits, or runs. */
  since: number
  /** It stood in line, and the dispatcher calls it. */
  isCalled: boolean
}

/** Replays a day, with `Line` and `Room` of the service between incoming videos and containers. */
export function simulateDay(day: Day): DayFigures {
  return new Simulation(day).run()
}

/** How many times as long as the mean a job is: most are shorter, and a few far longer. */
export function drawLength(random: Random): number {
  const spread = 0.7
  return Math.exp(spread * random.noise() - (spread * spread) / 2)
}

/**
 * How one attempt goes. Which video and which attempt it is decide, so that it goes the same way wherever the day is simulated:
 * while few containers make long lines, waits depend on who has the long work.
 */
export function drawAttempt(seed: number, video: number, attempt: number) {
  const random = new Random(seed, video, attempt)
  const whole = drawLength(random)
  const fails = random.share() < inputs.failedShare.value && attempt < maxAttempts
  // What fails does so anywhere in its work, on average in the middle.
  const length = fails ? whole * random.share() : whole
  return { length, fails, isLost: fails && random.share() < troubles.lostShare }
}

class Simulation {
  readonly #day: Day
  readonly #events = new EventQueue<() => void>()
  readonly #containers: Containers
  readonly #slots: Slots
  readonly #book: DayBook
  readonly #keys: KeyNotes
  readonly #budgets: BudgetReads
  #now = 0

  constructor(day: Day) {
    this.#day = day
    this.#containers = new Containers(day.slots, new Random(day.seed + 2))
    this.#slots = new Slots((job) => this.#offer(job as Job))
    this.#book = new DayBook(day)
    const { readEveryMs } = this.#book
    this.#keys = new KeyNotes(readEveryMs, (now) => this.#book.note('keyNoted', now))
    const drawn = new Random(day.seed + 3)
    this.#budgets = new BudgetReads(drawn, (now) => this.#book.note('budgetsRead', now))
  }

  run(): DayFigures {
    const coming = arrivals(this.#day.perHour, this.#day)
    let next = 0
    for (;;) {
      const arrival = coming[next]
      const at = Math.min(this.#events.nextAt ?? Infinity, this.#slots.alarmAt ?? Infinity)
      if (arrival && arrival.at <= at) {
        this.#now = arrival.at
        this.#come(arrival.accountId, next++)
      } else if (at === Infinity) {
        break
      } else {
        this.#now = at
        if (at === this.#slots.alarmAt) this.#ring(at)
        else this.#events.take()?.()
      }
      this.#book.look(this.#slots.line.size + this.#slots.line.given)
    }
    return this.#book.figures(this.#containers.mostBusy)
  }

  #ring(at: number): void {
    this.#book.note('lineRang', at)
    this.#slots.ring(at)
  }

  #come(accountId: string, number: number): void {
    const [jobId, createdAt] = [`j_${number}`, this.#now]
    const rest = { chain: 0, deadline: Infinity, attempts: 0, readyAt: 0, hasContainer: false }
    const job: Job = {
      jobId,
      accountId,
      createdAt,
      since: createdAt,
      isCalled: false,
      number,
      ...rest,
    }
    this.#jobs.set(jobId, job)
    this.#book.note('created', this.#now)
    this.#keys.created(accountId, this.#now)
    this.#budgets.created(this.#now)
    this.#after(queueMs, () => this.#enter(job))
  }

  #enter(job: Job): void {
    this.#slots.enter(job, this.#now)
    // One that gets its turn at once asks no more than its start does.
    job.isCalled = this.#slots.line.size > 0
    if (job.isCalled) this.#book.note('waited', this.#now)
  }

  /** Called inside of the line's own work, so what comes of it happens a moment later. */
  #offer(given: Job): void {
    const job = this.#own(given)
    this.#after(offeredMs, () => this.#startContainer(job))
  }

  #startContainer(job: Job): void {
    if (!job.hasContainer) {
      if (!this.#containers.start(this.#now)) {
        this.#book.note('refused', this.#now)
        this.#slots.note(job, 'busy', this.#now)
        return
      }
      job.hasContainer = true
      job.readyAt = this.#now + this.#containers.startMs(this.#now)
    }
    const leftMs = Math.max(0, job.readyAt - this.#now)
    const waitMs = Math.ceil(leftMs / offer.lookMs) * offer.lookMs
    if (waitMs <= offer.patienceMs) this.#after(waitMs + givenMs, () => this.#begin(job))
    else this.#after(offer.patienceMs, () => this.#stillStarting(job))
  }

  /** The job keeps its turn, and its next message asks again. */
  #stillStarting(job: Job): void {
    this.#slots.note(job, 'silent', this.#now)
    this.#book.note('postponed', this.#now)
    this.#after(offer.againMs, () => this.#startContainer(job))
  }

  #begin(job: Job): void {
    job.attempts++
    this.#slots.note(job, 'started', this.#now)
    if (job.attempts === 1) this.#book.waited(job.createdAt, this.#now)
    this.#book.started(this.#now, job.isCalled)
    this.#book.read('readWaiting', job.createdAt, [job.since, this.#now])
    job.since = this.#now
    const { length, fails, isLost } = drawAttempt(this.#day.seed, job.number, job.attempts)
    const silentMs = isLost ? troubles.leaseSeconds * 1000 : 0
    this.#after(length * workSeconds * 1000 + silentMs, () => this.#end(job, fails))
  }

  #end(job: Job, isRepeated: boolean): void {
    this.#containers.stop()
    job.hasContainer = false
    this.#slots.left(job.jobId, this.#now)
    this.#book.ended(this.#now, isRepeated)
    const ran = [job.since, this.#now] as const
    this.#book.read('readRunning', job.createdAt, ran)
    this.#book.rang(ran)
    job.since = this.#now
    if (isRepeated) this.#after(queueMs, () => this.#enter(job))
    else this.#over(job)
  }

  /** Its client sees that with its next read. */
  #over({ jobId, accountId, createdAt }: Job): void {
    this.#jobs.delete(jobId)
    const { readEveryMs } = this.#book
    const sinceReadMs = (this.#now - createdAt) % readEveryMs
    this.#after(readEveryMs - sinceReadMs, () => {
      this.#keys.seenToEnd(accountId, createdAt, this.#now)
    })
  }

  /** The line returns a copy of what joined it. */
  readonly #jobs = new Map<string, Job>()
  #own(given: Job): Job {
    return this.#jobs.get(given.jobId) ?? given
  }

  #after(ms: number, event: () => void): void {
    this.#events.add(this.#now + ms, event)
  }
}
