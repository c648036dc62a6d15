import type { Env } from '../settings.ts'
import {
  deleteClaim,
  findKeyUse,
  insertClaim,
  prolongClaim,
  type IdempotencyRow,
  type IdempotencyScope,
} from '../store/idempotency.ts'
import { decideReplay, keptForMs, stillAtWork } from './idempotency.ts'
import { describeError, log } from './log.ts'

/** How long a silent request counts as still at work. If it has died, its key is free after this. */
const leaseMs = 120_000
/** A claim that ends sooner than this is prolonged. */
const renewBelowMs = 90_000

/** An Idempotency-Key held while the request that carries it is still arriving. */
export class KeyClaim {
  readonly scope: IdempotencyScope
  readonly token: string
  readonly #env: Env
  #leaseUntil: number

  constructor(env: Env, row: IdempotencyScope & { fingerprint: string; leaseUntil: number }) {
    const { keyId, endpoint, idempotencyKey } = row
    this.scope = { keyId, endpoint, idempotencyKey }
    this.token = row.fingerprint
    this.#env = env
    this.#leaseUntil = row.leaseUntil
  }

  /** Called while the body arrives, so that a long upload does not lose its key. */
  async keep(now: number): Promise<void> {
    if (this.#leaseUntil - now > renewBelowMs) return
    this.#leaseUntil = now + leaseMs
    await prolongClaim(this.#env.DB, this.scope, this.token, this.#leaseUntil)
  }

  /** Frees the key, because a refused request does not use it up. */
  async release(): Promise<void> {
    try {
      await deleteClaim(this.#env.DB, this.scope, this.token)
    } catch (error) {
      log('warn', 'a claimed key stays claimed until its lease ends', describeError(error))
    }
  }
}

/** Claims the key for this request; or returns the earlier request that used it and was answered. */
export async function claimKey(
  env: Env,
  scope: IdempotencyScope,
  now: number,
): Promise<{ claim: KeyClaim } | { known: IdempotencyRow }> {
  const row = {
    ...scope,
    fingerprint: `claim:${crypto.randomUUID()}`,
    leaseUntil: now + leaseMs,
    createdAt: now,
    expiresAt: now + keptForMs,
  }
  if (await insertClaim(env.DB, row)) return { claim: new KeyClaim(env, row) }
  const known = await findKeyUse(env.DB, scope)
  const decision = known && decideReplay(known, row.fingerprint, now)
  if (known && decision?.outcome === 'conflict') return { known }
  // The key was released between the two statements, so the next try will get it.
  throw stillAtWork(decision?.outcome === 'in-flight' ? decision.retryAfterSeconds : 1)
}
