import { DurableObject } from 'cloudflare:workers'
import type { KeyCaller } from '../contract/people/member.ts'
import type { RateWindow } from '../contract/rate-windows.ts'
import { describeError, log } from '../service/log.ts'
import {
  chooseLane,
  dashboardReads,
  lanesOf,
  togetherOf,
  windowsOf,
  type RateLane,
  type RatePlan,
  type RequestUse,
} from '../service/limits/rate-lane.ts'
import {
  countAhead,
  decideRate,
  describeUses,
  isCounted,
  requestsPerWrite,
  type LaneStates,
  type RateState,
  type WindowUse,
} from '../service/limits/rate-limit.ts'
import { markUsed } from '../store/people/api-keys.ts'
import { readSettings, type Env } from '../settings.ts'

/**
 * What the gate knows about its key. If `rateLimits` is null, the default plan counts as it is set today; otherwise
 * these windows count every request.
 */
type GateKey = KeyCaller & {
  expiresAt: number | null
  revokedAt: number | null
  rateLimits: RateWindow[] | null
  /** The account has had enough keys that the requests of all of them are counted together too. */
  isOneOfMany?: boolean
}

/** A request counted in its windows, or refused because one of them is used up. */
export type Counting =
  | { outcome: 'admitted'; lane: RateLane; states: RateState[] }
  | { outcome: 'limited'; lane: RateLane; states: RateState[]; retryAfterSeconds: number }

export type Admission =
  | { outcome: 'unknown' }
  | { outcome: 'revoked' }
  | { outcome: 'expired' }
  | (Counting & { caller: KeyCaller })

/** Much shorter than the ten seconds for which an idle object is kept. */
const storeAfterMs = 1_000
/** How exactly the last use of a key is known. */
const noteEveryMs = 300_000

/**
 * The authority on one API key, named by the key's hash: whether it is valid, what it may do, and how much of its
 * windows is used. It counts exactly because it is one object, and its storage outlives eviction and restart.
 */
export class KeyGate extends DurableObject<Env> {
  // Copies of what is stored. An evicted object reads it again.
  #key: GateKey | undefined
  readonly #uses = new Map<RateLane, WindowUse[]>()
  readonly #stored = new Map<RateLane, WindowUse[]>()
  #storing: ReturnType<typeof setTimeout> | undefined
  #notedAt: number | undefined

  /**
   * Only reads for a key that it does not know, so that a guess stores nothing. Locally, workerd creates an empty database
   * file on the first read; only well-formed guesses come this far.
   */
  async admit(use: RequestUse): Promise<Admission> {
    this.#key ??= this.ctx.storage.kv.get<GateKey>('key')
    const key = this.#key
    if (!key) return { outcome: 'unknown' }
    const now = Date.now()
    if (key.revokedAt !== null) return { outcome: 'revoked' }
    if (key.expiresAt !== null && key.expiresAt <= now) return { outcome: 'expired' }
    const caller = { keyId: key.keyId, accountId: key.accountId, scopes: key.scopes }
    const plan = this.#planOf(key)
    if (key.isOneOfMany && this.#decide(plan, use, now).outcome === 'admit') {
      const together = await accountGate(this.env, key.accountId).countTogether(use, key.rateLimits)
      if (together.outcome === 'limited') return { ...together, caller }
    }
    const counting = this.#admitWithin(plan, use, now)
    if (counting.outcome === 'admitted') this.#noteUse(key.keyId, now)
    return { ...counting, caller }
  }

  /** Counts a request of any key of this account. */
  countTogether(use: RequestUse, rateLimits: RateWindow[] | null): Counting {
    return this.#admitWithin(togetherOf(this.#planOf({ rateLimits })), use, Date.now())
  }

  /** Counts a request of a person who is signed in, whom the session has already let in. */
  count(use: RequestUse, rateLimits: RateWindow[] | null): Counting {
    const requests = rateLimits ?? readSettings(this.env).ratePlan.requests
    return this.#admitWithin({ requests, reads: dashboardReads }, use, Date.now())
  }

  /** How much of its windows the key has left; counts nothing. Empty for a key that the gate does not know. */
  readWindows(): LaneStates[] {
    const key = this.ctx.storage.kv.get<GateKey>('key')
    return key ? this.#describeLanes(this.#planOf(key)) : []
  }

  /** The same for a person who is signed in. */
  readMemberWindows(rateLimits: RateWindow[] | null): LaneStates[] {
    const requests = rateLimits ?? readSettings(this.env).ratePlan.requests
    return this.#describeLanes({ requests, reads: dashboardReads })
  }

  #planOf({ rateLimits }: Pick<GateKey, 'rateLimits'>): RatePlan {
    return rateLimits ? { requests: rateLimits } : readSettings(this.env).ratePlan
  }

  #describeLanes(plan: RatePlan): LaneStates[] {
    const now = Date.now()
    return lanesOf(plan).map((lane) => ({
      lane,
      states: describeUses(windowsOf(lane, plan), this.#usesOf(lane), now),
    }))
  }

  #admitWithin(plan: RatePlan, use: RequestUse, now: number): Counting {
    const { lane, windows, ...decision } = this.#decide(plan, use, now)
    const { states } = decision
    if (decision.outcome === 'refuse') {
      return { outcome: 'limited', lane, states, retryAfterSeconds: decision.retryAfterSeconds }
    }
    this.#count(lane, decision.uses, windows)
    return { outcome: 'admitted', lane, states }
  }

  #decide(plan: RatePlan, use: RequestUse, now: number) {
    const lane = chooseLane(use, plan)
    const windows = windowsOf(lane, plan)
    return { lane, windows, ...decideRate(windows, this.#usesOf(lane), now) }
  }

  #usesOf(lane: RateLane): WindowUse[] {
    return this.#uses.get(lane) ?? this.ctx.storage.kv.get<WindowUse[]>(usesKey(lane)) ?? []
  }

  /**
   * The count is stored before the request is answered. If a window allows thousands of requests, one write counts
   * several of them ahead, and the true count is stored a second later. An object that is killed before
   * that has counted a few requests too many, never too few.
   */
  #count(lane: RateLane, uses: WindowUse[], windows: readonly RateWindow[]): void {
    this.#uses.set(lane, uses)
    if (isCounted(uses, this.#stored.get(lane) ?? [])) return
    this.#store(lane, countAhead(uses, windows))
    if (requestsPerWrite(windows) > 1)
      this.#storing ??= setTimeout(() => this.#storeAll(), storeAfterMs)
  }

  /** Notes the last use, which shows people their unused keys. Written rarely, and without delaying the answer. */
  #noteUse(keyId: string, now: number): void {
    this.#notedAt ??= this.ctx.storage.kv.get<number>('noted') ?? 0
    if (now - this.#notedAt < noteEveryMs) return
    this.#notedAt = now
    this.ctx.storage.kv.put('noted', now)
    const noted = markUsed(this.env.DB, keyId, now).catch((error: unknown) => {
      log('warn', 'the last use of a key was not noted', { keyId, ...describeError(error) })
    })
    this.ctx.waitUntil(noted)
  }

  #storeAll(): void {
    this.#storing = undefined
    for (const [lane, uses] of this.#uses) this.#store(lane, uses)
  }

  #store(lane: RateLane, uses: WindowUse[]): void {
    this.ctx.storage.kv.put(usesKey(lane), uses)
    this.#stored.set(lane, uses)
  }

  enroll(key: GateKey): void {
    this.#key = key
    this.ctx.storage.kv.put('key', key)
  }

  changeRateLimits(rateLimits: RateWindow[] | null): void {
    const key = this.ctx.storage.kv.get<GateKey>('key')
    if (key) this.enroll({ ...key, rateLimits })
  }

  joinMany(): void {
    const key = this.ctx.storage.kv.get<GateKey>('key')
    if (key && !key.isOneOfMany) this.enroll({ ...key, isOneOfMany: true })
  }

  revoke(at: number): void {
    const key = this.ctx.storage.kv.get<GateKey>('key')
    if (key && key.revokedAt === null) this.enroll({ ...key, revokedAt: at })
  }
}

function usesKey(lane: RateLane): string {
  return `uses:${lane}`
}

/** The gate of the key with this hash. */
export function keyGate(env: Env, keyHash: string): DurableObjectStub<KeyGate> {
  // wrangler.toml binds KEY_GATE to the class above.
  return (env.KEY_GATE as DurableObjectNamespace<KeyGate>).getByName(keyHash)
}

/** The gate that counts the requests of all keys of an account together. */
function accountGate(env: Env, accountId: string): DurableObjectStub<KeyGate> {
  return keyGate(env, `all@${accountId}`)
}

/** The gate that counts the requests of one signed-in person in one account. Its name is never the hash of a key. */
export function personGate(env: Env, personId: string, accountId: string) {
  return keyGate(env, `${personId}@${accountId}`)
}
