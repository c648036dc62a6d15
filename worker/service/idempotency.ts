import { AppError } from '../contract/answers/errors.ts'
import { hex } from '../contract/keyed-hash.ts'
import type { IdempotencyRow, IdempotencyScope, NewIdempotencyRow } from '../store/idempotency.ts'

/** How long the answer to a key is repeated. */
export const keptForMs = 86_400_000

/** The JSON of a value with its keys sorted, so that the same request gives the same text however it was written. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`)
  return `{${members.join(',')}}`
}

export async function fingerprint(value: unknown): Promise<string> {
  const text = new TextEncoder().encode(canonicalJson(value))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', text))
  return hex(digest)
}

/** An Idempotency-Key, and what it is used for. */
export type KeyUse = IdempotencyScope & { fingerprint: string }

/** The row of a key whose request was accepted with this answer. */
export function acceptedUse(key: KeyUse, responseBody: string, now: number): NewIdempotencyRow {
  return {
    ...key,
    ...{ responseStatus: 202, responseBody },
    ...{ leaseUntil: now, createdAt: now, expiresAt: now + keptForMs },
  }
}

type Replay =
  | { outcome: 'replay'; body: string }
  | { outcome: 'conflict' }
  | { outcome: 'in-flight'; retryAfterSeconds: number }
  /** The answer is kept no longer, or the first request died before it had one: this one may take its place. */
  | { outcome: 'free' }

/** What to do with a request whose key was used before. */
export function decideReplay(known: IdempotencyRow, asked: string, now: number): Replay {
  if (known.expiresAt <= now) return { outcome: 'free' }
  if (known.responseStatus !== null && known.responseBody !== null) {
    if (known.fingerprint !== asked) return { outcome: 'conflict' }
    return { outcome: 'replay', body: known.responseBody }
  }
  if (known.leaseUntil <= now) return { outcome: 'free' }
  return { outcome: 'in-flight', retryAfterSeconds: Math.ceil((known.leaseUntil - now) / 1000) }
}

/** The answer that a key had before; undefined if it has none any more. */
export function repeatedBody(
  known: IdempotencyRow,
  asked: string,
  now: number,
): string | undefined {
  const decision = decideReplay(known, asked, now)
  switch (decision.outcome) {
    case 'replay':
      return decision.body
    case 'conflict':
      throw new AppError('Conflict', 'This Idempotency-Key was used with another request.')
    case 'in-flight':
      throw stillAtWork(decision.retryAfterSeconds)
    case 'free':
      return undefined
  }
}

export function stillAtWork(retryAfterSeconds: number): AppError {
  const message = 'A request with this Idempotency-Key is still being processed.'
  return new AppError('Conflict', message, { retryAfterSeconds })
}
