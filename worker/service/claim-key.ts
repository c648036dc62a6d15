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

/** How long a request is believed to be at work that says nothing: when it has died, its key is free after this. */
const leaseMs = 120_000
/** A claim with less left than this is prolonged. */
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

  /** Called while the body arrives, so that a long one does not lose its key on the way. */
  async keep(now: number): Promise<void> {
    if (this.#leaseUntil - now > renewBelowMs) return
    this.#leaseUntil = now + leaseMs
    await prolongClaim(this.#env.DB, this.scope, this.token, this.#leaseUntil)
  }

  /** A refused request does not use its key up. */
  async release(): Promise<void> {
    try {
      await deleteClaim(this.#env.DB, this.scope, this.token)
    } catch (error) {
      log('warn', 'a claimed key stays claimed until its lease ends', describeError(error))
    }
  }
}

/** The key, for this request alone; or the earlier request that has used it and was answered. */
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
  // Released between the two statements: whoever asks again at once will get it.
  throw stillAtWork(decision?.outcome === 'in-flight' ? decision.retryAfterSeconds : 1)
}
