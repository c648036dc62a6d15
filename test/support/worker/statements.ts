import { vi } from 'vitest'
import { bindings, prototypeOf } from './bindings.ts'

type Statement = { statement: string }

/** Every statement that D1 was asked to run since, in order. */
export type StatementLog = { texts: string[]; calls: number }

/**
 * Watches D1 wherever it is used. A batch counts as one call and as each of its statements. `mockRestore` of vitest
 * ends it.
 */
export function recordStatements(): StatementLog {
  const log: StatementLog = { texts: [], calls: 0 }
  const database = prototypeOf(bindings.DB)
  const statement = prototypeOf(bindings.DB.prepare('SELECT 1'))
  const { batch } = database
  vi.spyOn(database, 'batch').mockImplementation(async function (this: D1Database, all) {
    log.calls++
    log.texts.push(...all.map((one) => (one as unknown as Statement).statement))
    return batch.call(this, all)
  } as D1Database['batch'])
  for (const method of ['all', 'run', 'raw', 'first'] as const) {
    const original = statement[method] as (...given: unknown[]) => Promise<unknown>
    vi.spyOn(statement, method).mockImplementation(async function (
      this: D1PreparedStatement,
      ...given: unknown[]
    ) {
      log.calls++
      log.texts.push((this as unknown as Statement).statement)
      return original.apply(this, given)
    } as never)
  }
  return log
}
