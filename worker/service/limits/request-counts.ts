import { randomBase62 } from '../../contract/ids.ts'
import { isolateMemory } from '../../contract/isolate-memory.ts'

/** Requests that this isolate has answered, by status. There is no place where all isolates could count without waiting. */
const byStatus = isolateMemory(() => new Map<number, number>())
const isolate = isolateMemory<string | undefined>(() => undefined)

export function countRequest(status: number): void {
  const { current } = byStatus
  current.set(status, (current.get(status) ?? 0) + 1)
}

/** The counts, and a name for the isolate, so that those of two are never taken for one. */
export function readRequestCounts(): {
  isolate: string
  counts: [status: number, count: number][]
} {
  // Randomness is there only while a request is answered.
  isolate.current ??= randomBase62(8)
  return { isolate: isolate.current, counts: [...byStatus.current].sort(([a], [b]) => a - b) }
}
