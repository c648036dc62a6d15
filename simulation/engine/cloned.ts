/**
 * A copy as it arrives on the other side of a call. `structuredClone` makes the same one, and takes ten times as long for what
 * most calls carry: plain data.
 */
export function cloned(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) {
    return typeof value === 'function' || typeof value === 'symbol' ? structuredClone(value) : value
  }
  if (Array.isArray(value)) return value.map(cloned)
  // Its reader gets the stream itself.
  if (value instanceof ReadableStream) return value
  if (Object.getPrototypeOf(value) !== Object.prototype) return structuredClone(value)
  const copy: Record<string, unknown> = {}
  for (const [name, one] of Object.entries(value)) copy[name] = cloned(one)
  return copy
}
