// eslint-disable-next-line no-restricted-imports -- the one Node module that workerd has for this: context over awaits
import { AsyncLocalStorage } from 'node:async_hooks'

type Level = 'info' | 'warn' | 'error'

type Fields = Record<string, unknown>

const context = new AsyncLocalStorage<Fields>()

/**
 * Adds these fields, such as the id of a request or message, to every line that is logged during the work, however deep
 * inside.
 */
export async function withLogFields<Value>(
  fields: Fields,
  work: () => Promise<Value>,
): Promise<Value> {
  return context.run({ ...context.getStore(), ...fields }, work)
}

/** Writes one JSON object per line. Callers never pass keys, tokens, bodies or the addresses that customers name. */
export function log(level: Level, event: string, fields: Fields = {}): void {
  // eslint-disable-next-line no-console -- the one place where a log line leaves the Worker
  console[level](
    JSON.stringify({
      level,
      event,
      at: new Date().toISOString(),
      ...context.getStore(),
      ...fields,
    }),
  )
}

/** An error and its causes as text, for the log only. */
export function describeError(error: unknown): Fields {
  if (!(error instanceof Error)) return { error: String(error) }
  const causes: string[] = []
  for (let cause = error.cause; cause instanceof Error && causes.length < 5; cause = cause.cause) {
    causes.push(cause.message)
  }
  return { error: error.message, stack: error.stack, ...(causes.length > 0 ? { causes } : {}) }
}
