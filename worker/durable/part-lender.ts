import type { IdleSlots } from '../contract/job/part-job.ts'
import {
  askMediaWorkers,
  freeSlots,
  type MediaWorkerState,
} from '../service/jobs/ask-media-workers.ts'
import { Lending, type Borrower, type Slots } from '../service/line/lending.ts'
import type { Line } from '../service/line/line.ts'
import type { Room } from '../service/line/room.ts'
import type { Settings } from '../settings.ts'

/** Parts that begin within this time share one look at the media workers. */
const freshMs = 1_000
/** After this time, more containers may run than when one was refused. */
const fullMs = 60_000

/** `lent`: how many slots were lent since these media workers were asked. */
type SeenWorkers = { at: number; states: readonly MediaWorkerState[]; lent: number }

/**
 * Lends idle slots to jobs whose films are rendered in parts. Whole jobs come first: while any stands in line, nothing is
 * lent, and a slot that is given back goes to the line.
 */
export class PartLender {
  readonly #line: Line
  readonly #room: Room
  readonly #settings: Settings
  readonly #kv: SyncKvStorage
  readonly #lending: Lending
  /** As it is stored: while nobody waits, this object is often restarted, and films tell of their slots only now and then. */
  #stored: string
  #seen: SeenWorkers | undefined
  /** How many containers ran when another one was refused. */
  #full: { at: number; count: number } | undefined

  constructor(line: Line, room: Room, settings: Settings, kv: SyncKvStorage) {
    this.#line = line
    this.#room = room
    this.#settings = settings
    this.#kv = kv
    this.#stored = kv.get<string>('lentSlots') ?? '[]'
    this.#lending = new Lending(settings.maxParts - 1, JSON.parse(this.#stored) as Lending['kept'])
  }

  get count(): number {
    return this.#lending.count
  }

  /** How many more slots this job could borrow now. */
  async idleFor(borrower: Borrower): Promise<IdleSlots> {
    await this.#look()
    const idle = this.#roomFor(borrower)
    const away = this.#seen ? freeAway(borrower, this.#seen) : idle
    return { idle, beside: Math.max(0, idle - away) }
  }

  /** Lends one slot, or lets the job keep the one that it has under this number. `held`: the slots that it says it has. */
  async lend(borrower: Borrower, slot: number, held: readonly number[]): Promise<boolean> {
    const { jobId } = borrower
    // If the job is known here, this object knows its slots better than the job does.
    if (!this.#lending.knows(jobId)) this.keep(borrower, held)
    if (!this.#lending.has(jobId, slot)) {
      await this.#look()
      // Nothing may be awaited between counting and lending.
      if (this.#roomFor(borrower) < 1) return false
      this.#room.lent()
      if (this.#seen) this.#seen.lent++
    } else if (this.#isWaitedFor) return false
    this.#lending.lend(borrower, slot, Date.now())
    this.#store()
    return true
  }

  keep(borrower: Borrower, slots: readonly number[]): void {
    this.#lending.keep(borrower, slots, Date.now())
    this.#store()
  }

  giveBack(jobId: string, slots: readonly number[] | 'all'): void {
    this.#free(this.#lending.giveBack(jobId, slots))
  }

  expire(): void {
    this.#free(this.#lending.expire(Date.now()))
  }

  /** No container could be started for this slot, so only as many as run now are available. */
  refused(jobId: string, slot: number): void {
    this.#lending.giveBack(jobId, [slot])
    this.#store()
    this.#full = { at: Date.now(), count: this.#line.running + this.count }
  }

  #free(count: number): void {
    this.#store()
    for (let i = 0; i < count; i++) this.#room.freed()
  }

  #store(): void {
    const text = JSON.stringify(this.#lending.kept)
    if (text === this.#stored) return
    this.#stored = text
    this.#kv.put('lentSlots', text)
  }

  get #isWaitedFor(): boolean {
    return this.#line.size > 0 || this.#line.given > 0
  }

  #roomFor(borrower: Borrower): number {
    this.expire()
    if (this.#isWaitedFor) return 0
    const { running } = this.#line.countOf(borrower.accountId)
    const { all, idle } = this.#seen ? countSeen(this.#seen) : this.#containers()
    return this.#lending.roomFor(borrower, { all, idle, running })
  }

  #containers(): Pick<Slots, 'all' | 'idle'> {
    const isFull = this.#full && Date.now() - this.#full.at < fullMs
    const all = isFull ? this.#full?.count : undefined
    return { all, idle: all === undefined ? undefined : all - this.#line.running - this.count }
  }

  async #look(): Promise<void> {
    const { maxParts, mediaWorkers } = this.#settings
    const now = Date.now()
    if (maxParts === 1 || mediaWorkers.urls.length === 0) return
    if (this.#seen && Math.abs(now - this.#seen.at) < freshMs) return
    this.#seen = { at: now, states: await askMediaWorkers(mediaWorkers.urls), lent: 0 }
  }
}

function countSeen({ states, lent }: SeenWorkers): Pick<Slots, 'all' | 'idle'> {
  const all = states.reduce((sum, one) => sum + (one.up && !one.stopping ? one.slots : 0), 0)
  return { all, idle: freeSlots(states) - lent }
}

/** Parts go to other machines first. */
function freeAway({ worker }: Borrower, { states, lent }: SeenWorkers): number {
  return Math.max(0, freeSlots(states.filter(({ url }) => url !== worker)) - lent)
}
