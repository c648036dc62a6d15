import { isolateMemory } from '../contract/isolate-memory.ts'

/**
 * What is said of a database that is damaged, full or out of reach: by SQLite, or by a runtime that keeps what SQLite says to
 * itself. Other errors are those of one statement, or pass by themselves.
 */
const codes =
  /\bSQLITE_(?:CORRUPT|NOTADB|IOERR|FULL|READONLY|CANTOPEN|PROTOCOL)|\bno such (?:table|column)\b|\binternal error\b/

type Fault = { code: string; at: number }

/** The latest fault of each piece of work that has not succeeded since. */
const faults = isolateMemory(() => new Map<string, Fault>())
const counts = isolateMemory(() => new Map<string, number>())

/** So that health does not say otherwise with every row that can still be read. */
const leastMs = 60_000
/** Damage stays, although nobody does the same work again. */
const damage = /CORRUPT|NOTADB|no such/
const damageMs = 3_600_000
/** A full disk passes by itself. While the database fails, the sweep meets it once a minute. */
const passingMs = 120_000
const mostFaults = 100

/** What the database answered with, if that concerns the database itself. */
function codeOf(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = codes.exec(cause.message)?.[0]
    if (code !== undefined) return code
  }
  return undefined
}

/** The text of a statement, or the source text of a function, tells the places apart where the database is asked. */
export type Place = string | ((...given: never[]) => unknown)

export function noteDatabaseError(place: Place, error: unknown): void {
  const code = codeOf(error)
  if (code === undefined) return
  counts.current.set(code, (counts.current.get(code) ?? 0) + 1)
  const { current } = faults
  if (current.size < mostFaults || current.has(String(place))) {
    current.set(String(place), { code, at: Date.now() })
  }
}

/** Costs nothing while all is well. */
export function noteDatabaseSuccess(place: Place): void {
  const { current } = faults
  if (current.size === 0) return
  const fault = current.get(String(place))
  if (fault && Date.now() - fault.at >= leastMs) current.delete(String(place))
}

/** What requests and the sweep met here that does not work yet, most recent first. */
export function presentDatabaseFaults(now: number): string[] {
  const present = [...faults.current.values()].filter(
    ({ code, at }) => now - at < (damage.test(code) ? damageMs : passingMs),
  )
  return [...new Set(present.sort((a, b) => b.at - a.at).map(({ code }) => code))]
}

export function countDatabaseErrors(): [code: string, count: number][] {
  return [...counts.current].sort(([a], [b]) => a.localeCompare(b))
}
