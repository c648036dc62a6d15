import type { Place } from '../job/job-context.ts'

export type Guest = { readonly account: string; readonly place: Place }

/** How many jobs may work, and how many more may be kept meanwhile. */
export type Rooms = { readonly slots: number; readonly fetching: number }

/**
 * Where a job of this account may begin. Half of the room for slow sources is the most that one account gets, so that its
 * fiftieth slow source is refused at the door and the slot stays free for the jobs of others.
 */
export function admit(
  account: string,
  guests: readonly Guest[],
  rooms: Rooms,
): 'slot' | 'aside' | 'busy' {
  const kept = guests.filter(({ place }) => place !== 'slot')
  const own = kept.filter((guest) => guest.account === account).length
  const hasRoom = kept.length < rooms.fetching
  if (own > 0 && (!hasRoom || own >= Math.floor(rooms.fetching / 2))) return 'busy'
  if (guests.length - kept.length < rooms.slots) return 'slot'
  // Jobs that are ready get the next slots. One who has none among them would wait for all of another account's.
  const isPassedOver =
    kept.some(({ place }) => place === 'ready') &&
    guests.every((guest) => guest.account !== account)
  return isPassedOver && hasRoom ? 'aside' : 'busy'
}

export function mayStepAside(guests: readonly Guest[], rooms: Rooms): boolean {
  return guests.filter(({ place }) => place !== 'slot').length < rooms.fetching
}

export function hasFreeSlot(guests: readonly Guest[], rooms: Rooms): boolean {
  return guests.filter(({ place }) => place === 'slot').length < rooms.slots
}
