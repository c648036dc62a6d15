import type { Place } from '../job/job-context.ts'
import { admit, hasFreeSlot, mayStepAside, type Rooms } from './share-slots.ts'

/** Longer than fetching takes where the source is quick: such a job has one slot from its beginning to its end. */
const defaultGraceMs = 2_000

/** The place of one job among the others. */
export type SlotRequest = {
  /** Called when its inputs are there: nothing while it has a slot, else what settles when it gets one. */
  take(): Promise<void> | undefined
  /** It needs nothing any more. */
  leave(): void
  /** Told when it has to go on without its slot, and when it has one again. */
  onPlace: (place: Place) => void
}

type Guest = {
  readonly account: string
  readonly granted: PromiseWithResolvers<void>
  place: Place
  hasInputs: boolean
  isSlow: boolean
  grace: NodeJS.Timeout | undefined
  onPlace: (place: Place) => void
}

/**
 * Who has a slot. A job that waits for a slow source gives its slot back while others fetch or work, and gets one in turn
 * with those of other accounts when its inputs are there.
 */
export class SlotQueue {
  readonly rooms: Rooms
  readonly #graceMs: number
  readonly #guests = new Set<Guest>()
  /** In the order in which accounts got slots last. */
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

  /** Undefined when there is no room for a job of this account. */
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

  #requestOf(guest: Guest): SlotRequest {
    return {
      take: () => this.#take(guest),
      leave: () => this.#leave(guest),
      set onPlace(listener: (place: Place) => void) {
        guest.onPlace = listener
      },
    }
  }

  #take(guest: Guest): Promise<void> | undefined {
    clearTimeout(guest.grace)
    guest.hasInputs = true
    if (hasSlot(guest)) return undefined
    guest.place = 'ready'
    // Behind those that were ready before.
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

  /** Of those that are ready, the first one of the account that was served longest ago. */
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
