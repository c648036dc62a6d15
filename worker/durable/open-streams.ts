import { isolateMemory } from '../contract/isolate-memory.ts'

/** How many clients of one account may follow videos live, in one isolate: each holds a connection and a part of its memory. */
export const mostStreams = 500

/** Each comment of a stream renews its place. The place of a stream whose object has died is free after this time. */
const silentMs = 60_000

/** The place of an open stream among those of its account. */
export class StreamPlace {
  #seenAt: number
  readonly #among: Set<StreamPlace>

  constructor(among: Set<StreamPlace>, now: number) {
    this.#among = among
    this.#seenAt = now
    among.add(this)
  }

  stay(now: number): void {
    this.#seenAt = now
  }

  leave(): void {
    this.#among.delete(this)
  }

  isSilent(now: number): boolean {
    return now - this.#seenAt > silentMs
  }
}

const byAccount = isolateMemory(() => new Map<string, Set<StreamPlace>>())

function placesOf(accountId: string, now: number): Set<StreamPlace> {
  const { current } = byAccount
  const places = current.get(accountId) ?? new Set()
  current.set(accountId, places)
  if (places.size < mostStreams) return places
  for (const place of [...places]) if (place.isSilent(now)) place.leave()
  return places
}

/** Whether another client of the account may follow a video, as far as this isolate knows. */
export function mayFollow(accountId: string, now: number): boolean {
  return placesOf(accountId, now).size < mostStreams
}

/** Undefined if the account has no place left. */
export function takeStreamPlace(accountId: string, now: number): StreamPlace | undefined {
  return mayFollow(accountId, now) ? new StreamPlace(placesOf(accountId, now), now) : undefined
}
