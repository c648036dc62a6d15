import { bindings, prototypeOf } from '../bindings.ts'
import { watchCalls } from './watch-calls.ts'

/** D1's statement objects keep their text. */
type Prepared = { statement: string }

/** Every statement that D1 was asked to run since, in order. */
type StatementLog = { texts: string[]; calls: number }

/** Watches all use of D1. A batch counts as one call and as each of its statements. */
export function recordStatements(): StatementLog {
  const log: StatementLog = { texts: [], calls: 0 }
  watchCalls(prototypeOf(bindings.DB), 'batch', (_, [all]) => {
    log.calls++
    log.texts.push(...(all as Prepared[]).map(({ statement }) => statement))
  })
  const prepared = prototypeOf(bindings.DB.prepare('SELECT 1'))
  for (const method of ['all', 'run', 'raw', 'first'] as const) {
    watchCalls(prepared, method, (self) => {
      log.calls++
      log.texts.push((self as unknown as Prepared).statement)
    })
  }
  return log
}
