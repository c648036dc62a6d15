// eslint-disable-next-line no-restricted-imports -- the one Node module that workerd has for this: context over awaits
import { AsyncLocalStorage } from 'node:async_hooks'

type Level = 'info' | 'warn' | 'error'

type Fields = Record<string, unknown>

const context = new AsyncLocalStorage<Fields>()

/** Every line logged during the work, however deep inside, carries these fields: which request or message it was. */
export async function withLogFields<Value>(
  fields: Fields,
  work: () => Promise<Value>,
): Promise<Value> {
  return context.run({ ...context.getStore(), ...fields }, work)
}

/** One JSON object a line. Callers never pass keys, tokens, bodies or addresses of customers. */
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
