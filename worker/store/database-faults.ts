import { isolateMemory } from '../contract/isolate-memory.ts'

/**
 * Codes for a database that is damaged, full or out of reach, from SQLite or from a runtime that hides what SQLite says.
 * Other errors concern one statement, pass by themselves, or are of R2, which says that it has encountered an internal error.
 */
const codes =
  /\bSQLITE_(?:CORRUPT|NOTADB|IOERR|FULL|READONLY|CANTOPEN|PROTOCOL)|\bno such (?:table|column)\b|(?<!\bencountered an )\binternal error\b/

/** The latest fault of each piece of work that has not succeeded since. */
const faults = isolateMemory(() => new Map<string, { code: string; at: number }>())
const counts = isolateMemory(() => new Map<string, number>())

/** For how long a fault is shown at least, so that health does not change with every row that can still be read. */
const leastMs = 60_000
/** Damage remains even if the work that met it is not repeated. */
const damage = /CORRUPT|NOTADB|no such/
const damageMs = 3_600_000
/** A full disk passes by itself. While the database fails, the sweep meets it once a minute. */
const passingMs = 120_000
const mostFaults = 100

/** What a pattern finds in an error or in what has caused it, because Drizzle wraps the errors of D1. */
export function findInCauses(error: unknown, pattern: RegExp): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const [found] = pattern.exec(cause.message) ?? []
    if (found !== undefined) return found
  }
  return undefined
}

/** Where the database was asked: the text of a statement, or the source text of a function. */
export type FaultPlace = string | ((...given: never[]) => unknown)

export function noteDatabaseError(place: FaultPlace, error: unknown): void {
  const code = findInCauses(error, codes)
  if (code === undefined) return
  counts.current.set(code, (counts.current.get(code) ?? 0) + 1)
  const { current } = faults
  if (current.size < mostFaults || current.has(String(place))) {
    current.set(String(place), { code, at: Date.now() })
  }
}

/** Costs nothing while all is well. */
export function noteDatabaseSuccess(place: FaultPlace): void {
  const { current } = faults
  if (current.size === 0) return
  const fault = current.get(String(place))
  if (fault && Date.now() - fault.at >= leastMs) current.delete(String(place))
}

/** The faults that requests and the sweep met in this isolate and that have not been overcome, most recent first. */
export function presentDatabaseFaults(now: number): string[] {
  const present = [...faults.current.values()].filter(
    ({ code, at }) => now - at < (damage.test(code) ? damageMs : passingMs),
  )
  return [...new Set(present.sort((a, b) => b.at - a.at).map(({ code }) => code))]
}

export function countDatabaseErrors(): [code: string, count: number][] {
  return [...counts.current].sort(([a], [b]) => a.localeCompare(b))
}
