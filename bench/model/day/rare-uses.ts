import type { Random } from '../../../fuzz/random.ts'

type Note = (now: number) => void

/** How exactly the last use of a key is known (worker/durable/key-gate.ts). */
const noteEveryMs = 300_000

/**
 * When gates note that their key was used: at the first request of the account after five minutes. It creates videos, and
 * asks for each of them at even times until it has ended.
 */
export class KeyNotes {
  readonly #everyMs: number
  readonly #note: Note
  readonly #accounts = new Map<string, { notedAt: number; open: Set<number> }>()

  constructor(everyMs: number, note: Note) {
    this.#everyMs = everyMs
    this.#note = note
  }

  created(accountId: string, now: number): void {
    const account = this.#accounts.get(accountId) ?? { notedAt: -Infinity, open: new Set() }
    this.#accounts.set(accountId, account)
    this.#pass(account, now)
    if (now - account.notedAt >= noteEveryMs) {
      account.notedAt = now
      this.#note(now)
    }
    account.open.add(now)
  }

  /** Its client sees with this read that the video has ended. */
  seenToEnd(accountId: string, createdAt: number, now: number): void {
    const account = this.#accounts.get(accountId)
    if (!account) return
    this.#pass(account, now)
    account.open.delete(createdAt)
  }

  #pass(account: { notedAt: number; open: Set<number> }, now: number): void {
    while (account.open.size > 0 && account.notedAt + noteEveryMs <= now) {
      const next = this.#nextRead(account.open, account.notedAt + noteEveryMs)
      if (next > now) return
      account.notedAt = next
      this.#note(next)
    }
  }

  #nextRead(open: Iterable<number>, from: number): number {
    let next = Infinity
    for (const createdAt of open) {
      const reads = Math.max(1, Math.ceil((from - createdAt) / this.#everyMs))
      next = Math.min(next, createdAt + reads * this.#everyMs)
    }
    return next
  }
}

/** How long an isolate knows which accounts have a budget (worker/service/limits/budget.ts). */
const budgetsKnownMs = 30_000
/** As many isolates answer creates: assumed, here and in simulation/platform/deployment.ts. */
const isolates = 3

/** When isolates ask for the budgets: at a create, if they have not asked just before. */
export class BudgetReads {
  readonly #random: Random
  readonly #note: Note
  readonly #askedAt = new Array<number>(isolates).fill(-Infinity)

  constructor(random: Random, note: Note) {
    this.#random = random
    this.#note = note
  }

  created(now: number): void {
    const isolate = this.#random.below(isolates)
    if (now < (this.#askedAt[isolate] ?? 0) + budgetsKnownMs) return
    this.#askedAt[isolate] = now
    this.#note(now)
  }
}
