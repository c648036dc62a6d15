/**
 * Copies a value as a call to another process does. The result is that of `structuredClone`, which takes ten times as long for
 * what most calls carry: plain data.
 */
export function cloned(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) {
    return typeof value === 'function' || typeof value === 'symbol' ? structuredClone(value) : value
  }
  if (Array.isArray(value)) return value.map(cloned)
  // The reader gets the stream itself.
  if (value instanceof ReadableStream) return value
  // Rows of SQLite have no prototype.
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return structuredClone(value)
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(value)) {
    const one = (value as Record<string, unknown>)[name]
    copy[name] = typeof one === 'string' || typeof one === 'number' ? one : cloned(one)
  }
  return copy
}
