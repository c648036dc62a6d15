import { randomBase62 } from '../contract/ids.ts'

/** Requests that this isolate has answered, by status. There is no place where all isolates could count without waiting. */
const byStatus = new Map<number, number>()
let isolate: string | undefined

export function countRequest(status: number): void {
  byStatus.set(status, (byStatus.get(status) ?? 0) + 1)
}

/** The counts, and a name for the isolate, so that those of two are never taken for one. */
export function readRequestCounts(): {
  isolate: string
  counts: [status: number, count: number][]
} {
  // Randomness is there only while a request is answered.
  isolate ??= randomBase62(8)
  return { isolate, counts: [...byStatus].sort(([a], [b]) => a - b) }
}
