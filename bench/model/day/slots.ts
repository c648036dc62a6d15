import { Line, type Waiting } from '../../../worker/service/line/line.ts'
import { Room } from '../../../worker/service/line/room.ts'

/** As worker/durable/dispatcher.ts has it for containers, which it cannot ask. */
const pauses = { firstMs: 5_000, longestMs: 60_000 }
const longestPauseMs = pauses.longestMs

type Outcome = 'started' | 'busy' | 'silent'

/**
 * What the dispatcher does with its `Line` and `Room`, without the calls of objects around it: the same pure functions,
 * asked in the same order.
 */
export class Slots {
  readonly line = new Line()
  readonly #room = new Room(pauses)
  /** The place of each account in the order of turns, as D1 keeps it. */
  readonly #turns = new Map<string, number>()
  readonly #offer: (job: Waiting) => void
  #latest = 0
  /** When it wants to be rung; undefined while nobody waits. */
  alarmAt: number | undefined

  constructor(offer: (job: Waiting) => void) {
    this.#offer = offer
  }

  enter(job: Waiting, now: number): void {
    const turn = this.#turns.get(job.accountId) ?? null
    this.line.setPlan(job.accountId, { weight: 1, maxRunning: null, turn }, this.#latest)
    this.line.join(job)
    this.#assign(now)
  }

  note(job: Waiting, outcome: Outcome, now: number): void {
    const { jobId } = job
    switch (outcome) {
      case 'started':
        this.line.begin(jobId, now)
        this.#pay(job.accountId)
        this.#room.started()
        break
      case 'busy':
        this.line.putBack(jobId, { now })
        this.#room.foundNone(now)
        break
      case 'silent':
        this.line.renew(jobId, now)
    }
    this.#assign(now)
  }

  left(jobId: string, now: number): void {
    if (this.line.end(jobId).had === 'slot') this.#room.freed()
    this.#assign(now)
  }

  ring(now: number): void {
    this.alarmAt = undefined
    this.line.expire(now)
    const { lookAt } = this.#room
    if (this.line.size > 0 && this.#room.isFull && lookAt !== undefined && lookAt <= now) {
      this.#room.tryOne(now)
    }
    this.#assign(now)
  }

  #assign(now: number): void {
    while (this.line.size > 0 && this.#room.admit(this.line.given)) {
      const next = this.line.take(now)
      if (!next) {
        this.#room.giveBack()
        break
      }
      this.#offer(next)
    }
    this.#setAlarm(now)
  }

  #setAlarm(now: number): void {
    if (this.line.size === 0) return
    const lookAt = this.#room.isFull ? this.#room.lookAt : undefined
    const due = this.line.dueAt(now)
    const at = Math.min(now + longestPauseMs, lookAt ?? Infinity, due ?? Infinity)
    // One that rings in time stays; an earlier look takes its place.
    if (this.alarmAt !== undefined && this.alarmAt > now && this.alarmAt <= at) return
    this.alarmAt = Math.max(at, now + 1)
  }

  /** As the statement does that starts a job. */
  #pay(accountId: string): void {
    const turn = Math.max((this.#turns.get(accountId) ?? -1) + 1, this.#latest)
    this.#turns.set(accountId, turn)
    this.#latest = Math.max(this.#latest, turn)
  }
}
