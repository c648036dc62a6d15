import type { JobPlace } from '../job/job-context.ts'

type PlacedGuest = { readonly account: string; readonly place: JobPlace }

/** How many jobs may work at once, and how many more may wait without a slot. */
export type Rooms = { readonly slots: number; readonly fetching: number }

/**
 * Decides where a job of this account starts. One account may use at most half of the room for slow sources: further
 * slow sources of it are refused, so that slots stay free for other accounts.
 */
export function admit(
  account: string,
  guests: readonly PlacedGuest[],
  rooms: Rooms,
): 'slot' | 'aside' | 'busy' {
  const kept = guests.filter(({ place }) => place !== 'slot')
  const own = kept.filter((guest) => guest.account === account).length
  const hasRoom = kept.length < rooms.fetching
  if (own > 0 && (!hasRoom || own >= Math.floor(rooms.fetching / 2))) return 'busy'
  if (guests.length - kept.length < rooms.slots) return 'slot'
  // Jobs that are ready get the next free slots. An account that has none among them would otherwise have to wait for
  // all jobs of another account.
  const isPassedOver =
    kept.some(({ place }) => place === 'ready') &&
    guests.every((guest) => guest.account !== account)
  return isPassedOver && hasRoom ? 'aside' : 'busy'
}

export function mayStepAside(guests: readonly PlacedGuest[], rooms: Rooms): boolean {
  return guests.filter(({ place }) => place !== 'slot').length < rooms.fetching
}

export function hasFreeSlot(guests: readonly PlacedGuest[], rooms: Rooms): boolean {
  return guests.filter(({ place }) => place === 'slot').length < rooms.slots
}
