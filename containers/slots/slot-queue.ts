import type { JobPlace } from '../job/job-context.ts'
import { admit, hasFreeSlot, mayStepAside, type Rooms } from './share-slots.ts'

/** Longer than fetching takes from a quick source; such a job keeps one slot from beginning to end. */
const defaultGraceMs = 2_000

/** The request of one job for a slot. */
export type SlotRequest = {
  /**
   * Call it when the inputs are there: returns undefined if the job has a slot, else a promise that resolves when it
   * gets one.
   */
  take(): Promise<void> | undefined
  /** The job needs no slot any more. */
  leave(): void
  /** Called when the job loses its slot, and when it has one again. */
  onPlace: (place: JobPlace) => void
}

type Guest = {
  readonly account: string
  readonly granted: PromiseWithResolvers<void>
  place: JobPlace
  hasInputs: boolean
  isSlow: boolean
  grace: NodeJS.Timeout | undefined
  onPlace: (place: JobPlace) => void
}

/**
 * Assigns the slots. A job that waits for a slow source gives up its slot while others fetch or work. Once its inputs
 * are there, it gets a slot again, in turn with jobs of other accounts.
 */
export class SlotQueue {
  readonly rooms: Rooms
  readonly #graceMs: number
  readonly #guests = new Set<Guest>()
  /** Accounts in the order in which they last got a slot. */
  readonly #served = new Set<string>()

  constructor(rooms: Rooms, graceMs = defaultGraceMs) {
    this.rooms = rooms
    this.#graceMs = graceMs
  }

  get working(): number {
    return this.#all().filter(hasSlot).length
  }

  get kept(): number {
    return this.#guests.size - this.working
  }

  /** Undefined if there is no room for a job of this account. */
  enter(account: string): SlotRequest | undefined {
    const place = admit(account, this.#all(), this.rooms)
    if (place === 'busy') return undefined
    const guest: Guest = {
      account,
      place,
      granted: Promise.withResolvers(),
      hasInputs: false,
      isSlow: false,
      grace: undefined,
      onPlace: () => undefined,
    }
    guest.grace = setTimeout(() => {
      guest.isSlow = true
      this.#rearrange()
    }, this.#graceMs)
    this.#guests.add(guest)
    if (place === 'slot') this.#serve(guest)
    return this.#requestOf(guest)
  }

  /** The same for work that another media worker could do: undefined also if a job here waits for a slot. */
  enterIdle(account: string): SlotRequest | undefined {
    if (!hasFreeSlot(this.#all(), this.rooms)) return undefined
    if (this.#all().some(({ place }) => place === 'ready')) return undefined
    const request = this.enter(account)
    // It fetches from the service's own storage, and keeps its slot meanwhile.
    void request?.take()
    return request
  }

  #requestOf(guest: Guest): SlotRequest {
    return {
      take: () => this.#take(guest),
      leave: () => this.#leave(guest),
      set onPlace(listener: (place: JobPlace) => void) {
        guest.onPlace = listener
      },
    }
  }

  #take(guest: Guest): Promise<void> | undefined {
    clearTimeout(guest.grace)
    guest.hasInputs = true
    if (hasSlot(guest)) return undefined
    guest.place = 'ready'
    // Move it behind those that were ready before it.
    this.#guests.delete(guest)
    this.#guests.add(guest)
    this.#rearrange()
    return hasSlot(guest) ? undefined : guest.granted.promise
  }

  #leave(guest: Guest): void {
    clearTimeout(guest.grace)
    this.#guests.delete(guest)
    if (this.#all().every(({ account }) => account !== guest.account)) {
      this.#served.delete(guest.account)
    }
    this.#rearrange()
  }

  #rearrange(): void {
    for (const guest of this.#guests) {
      const isWaiting = hasSlot(guest) && guest.isSlow && !guest.hasInputs
      if (!isWaiting || !mayStepAside(this.#all(), this.rooms)) continue
      guest.place = 'aside'
      guest.onPlace('aside')
    }
    for (let next = this.#next(); next; next = this.#next()) {
      this.#serve(next)
      next.place = 'slot'
      next.onPlace('slot')
      next.granted.resolve()
    }
  }

  /** Among the ready jobs, the first one of the account that was served longest ago. */
  #next(): Guest | undefined {
    if (!hasFreeSlot(this.#all(), this.rooms)) return undefined
    const order = [...this.#served]
    const [next] = this.#all()
      .filter(({ place }) => place === 'ready')
      .sort((a, b) => order.indexOf(a.account) - order.indexOf(b.account))
    return next
  }

  #serve({ account }: Guest): void {
    this.#served.delete(account)
    this.#served.add(account)
  }

  #all(): Guest[] {
    return [...this.#guests]
  }
}

function hasSlot({ place }: Guest): boolean {
  return place === 'slot'
}
