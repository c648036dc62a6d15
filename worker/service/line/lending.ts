/** A job whose parts are rendered in slots that no other job needs. */
export type Borrower = {
  jobId: string
  accountId: string
  /** How many slots the operator lets the account have. */
  maxRunning: number | null
  /** The media worker that has the job. Its other slots share its cores. */
  worker: string
}

/** What is known of the slots. `all` and `idle`: undefined where nothing can be asked. */
export type Slots = {
  all: number | undefined
  idle: number | undefined
  /** Jobs of the borrower's account that run. */
  running: number
}

/** A lent slot, as it is stored. */
type KeptSlot = { jobId: string; slot: number } & Lent

type Lent = { accountId: string; until: number }

/** A job that has not said for this long that it still has its slots loses them. */
const silentMs = 90_000

/**
 * The slots that are lent to jobs besides their own, by numbers that each job chooses. One job gets at most half of all
 * slots, and all jobs of an account together a fixed number.
 */
export class Lending {
  readonly #most: number
  readonly #lent = new Map<string, Map<number, Lent>>()

  /** `most`: how many slots one account may borrow. `kept`: what was lent when this began again. */
  constructor(most: number, kept: readonly KeptSlot[] = []) {
    this.#most = most
    for (const { jobId, slot, ...lent } of kept) this.#put(jobId, slot, lent)
  }

  get kept(): KeptSlot[] {
    return [...this.#lent].flatMap(([jobId, slots]) =>
      [...slots].map(([slot, lent]) => ({ jobId, slot, ...lent })),
    )
  }

  get count(): number {
    return [...this.#lent.values()].reduce((sum, slots) => sum + slots.size, 0)
  }

  knows(jobId: string): boolean {
    return this.#lent.has(jobId)
  }

  has(jobId: string, slot: number): boolean {
    return this.#lent.get(jobId)?.has(slot) ?? false
  }

  /** How many more slots this job may borrow now, if no job waits for one. */
  roomFor({ jobId, accountId, maxRunning }: Borrower, slots: Slots): number {
    const own = this.#lent.get(jobId)?.size ?? 0
    const ofAccount = this.#ofAccount(accountId)
    const { all = Infinity, idle = Infinity, running } = slots
    const room = Math.min(
      idle,
      // Of two or three slots, the film that has one may borrow the others.
      Math.ceil(all / 2) - own,
      this.#most - ofAccount,
      (maxRunning ?? Infinity) - running - ofAccount,
    )
    return Math.max(0, room)
  }

  lend(
    { jobId, accountId }: Pick<Borrower, 'jobId' | 'accountId'>,
    slot: number,
    now: number,
  ): void {
    this.#put(jobId, slot, { accountId, until: now + silentMs })
  }

  /** The job says which slots it has, including those of which this object does not know. */
  keep(
    borrower: Pick<Borrower, 'jobId' | 'accountId'>,
    slots: readonly number[],
    now: number,
  ): void {
    for (const slot of slots) this.lend(borrower, slot, now)
  }

  /** Returns how many slots are free again. */
  giveBack(jobId: string, slots: readonly number[] | 'all'): number {
    const lent = this.#lent.get(jobId)
    if (!lent) return 0
    const before = lent.size
    for (const slot of slots === 'all' ? [...lent.keys()] : slots) lent.delete(slot)
    if (lent.size === 0) this.#lent.delete(jobId)
    return before - lent.size
  }

  /** Takes back the slots of jobs that have fallen silent. Returns how many. */
  expire(now: number): number {
    let taken = 0
    for (const [jobId, lent] of this.#lent) {
      // A time further away than any that is ever set comes from before the clock was set back.
      const late = [...lent].filter(([, { until }]) => until <= now || until > now + silentMs)
      taken += this.giveBack(
        jobId,
        late.map(([slot]) => slot),
      )
    }
    return taken
  }

  #put(jobId: string, slot: number, lent: Lent): void {
    const slots = this.#lent.get(jobId) ?? new Map<number, Lent>()
    slots.set(slot, lent)
    this.#lent.set(jobId, slots)
  }

  #ofAccount(accountId: string): number {
    let count = 0
    for (const lent of this.#lent.values()) {
      for (const one of lent.values()) if (one.accountId === accountId) count++
    }
    return count
  }
}
