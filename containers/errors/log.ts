export type LogLevel = 'info' | 'warn' | 'error'
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>

export type Log = {
  (level: LogLevel, message: string, fields?: LogFields): void
  /** The same log with these fields on every line. */
  with(fields: LogFields): Log
}

/** Writes one JSON object per line. Callers never pass addresses or tokens. */
export function createLog(write: (line: string) => void, bound: LogFields = {}): Log {
  const log = (level: LogLevel, message: string, fields: LogFields = {}): void =>
    write(
      `${JSON.stringify({ time: new Date().toISOString(), level, message, ...bound, ...fields })}\n`,
    )
  return Object.assign(log, {
    with: (fields: LogFields) => createLog(write, { ...bound, ...fields }),
  })
}

/** The stack of an error and of its causes, for logs only. */
export function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause === undefined ? '' : `\ncaused by: ${stackOf(error.cause)}`
  return withoutQueries((error.stack ?? error.message) + cause)
}

/** Removes queries, which hold signatures. */
function withoutQueries(text: string): string {
  return text.replace(/(https?:\/\/[^\s?#"']+)[?#][^\s"']*/g, '$1?…')
}
