type Level = 'info' | 'warn' | 'error'

/** One JSON object a line. Callers never pass keys, tokens, bodies or addresses of customers. */
export function log(level: Level, event: string, fields: Record<string, unknown> = {}): void {
  // eslint-disable-next-line no-console -- the one place where a log line leaves the Worker
  console[level](JSON.stringify({ level, event, at: new Date().toISOString(), ...fields }))
}

/** An error and its causes as text, for the log only. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: String(error) }
  const causes: string[] = []
  for (let cause = error.cause; cause instanceof Error && causes.length < 5; cause = cause.cause) {
    causes.push(cause.message)
  }
  return { error: error.message, stack: error.stack, ...(causes.length > 0 ? { causes } : {}) }
}
