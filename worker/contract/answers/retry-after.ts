/**
 * The milliseconds that a `Retry-After` header asks for, given in seconds or as a date; undefined for any other value.
 */
export function readRetryAfter(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? ''
  // Some providers write fractions of a second.
  if (/^\d{1,9}(\.\d+)?$/.test(text)) return Number(text) * 1_000
  if (!/[a-z]/i.test(text)) return undefined
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
