import { randomBase62 } from '../../contract/ids.ts'
import { isolateMemory } from '../../contract/isolate-memory.ts'

/** The answers of this isolate by status. All isolates together could only be counted by waiting for each other. */
const byStatus = isolateMemory(() => new Map<number, number>())
const isolate = isolateMemory<string | undefined>(() => undefined)

export function countRequest(status: number): void {
  const { current } = byStatus
  current.set(status, (current.get(status) ?? 0) + 1)
}

/** The counts, and a name for the isolate, so that those of two isolates are never mixed up. */
export function readRequestCounts(): {
  isolate: string
  counts: [status: number, count: number][]
} {
  // Random numbers are available only while a request is answered.
  isolate.current ??= randomBase62(8)
  return { isolate: isolate.current, counts: [...byStatus.current].sort(([a], [b]) => a - b) }
}
