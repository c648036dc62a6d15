import { firstPlace } from '../../contract/first-place.ts'
/** How an operator limits an account. `version`: of two plans, the one with the greater version is newer. */
export type LinePlan = { weight: number; maxRunning: number | null; version: number }

/** Decides when an account's jobs begin. `turn`: where in the order of turns its last job began. */
export type TurnPlan = LinePlan & { turn: number | null }

export type Waiting = {
  jobId: string
  accountId: string
  createdAt: number
  /** The number of the message that would dispatch it. */
  chain: number
  /** When it has waited or worked too long, and must be ended. */
  deadline: number
}

type Standing = Waiting & { passedUntil: number }
type Account = Omit<TurnPlan, 'version'> & {
  waiting: Standing[]
  given: number
  held: number
  passedUntil: number
}
/** `until`: when the turn ends if its job does not answer. */
type GivenSlot = { standing: Standing; until: number }
type HeldPlace = { accountId: string; hasSlot: boolean; startedAt: number }
type EndedPlace =
  | { had: 'slot'; held: HeldPlace }
  | { had: 'turn' | 'place' | 'left slot' | 'nothing'; held?: undefined }

/** Longer than an offer takes, even to a container that starts slowly. */
const turnMs = 45_000
/** For how long a job that no media worker took lets others go first. */
const passedMs = 15_000
/** More than the number of plans that change while a message is on its way. */
const mostChanged = 1_000

/**
 * The waiting jobs of all accounts, and which of them is next: accounts take turns, by start-time fair queueing, and within
 * an account the oldest job is first. The next job of an account begins one turn after its last one, divided by its weight,
 * and never before now, so that nobody can save up turns.
 */
export class Line {
  readonly #accounts = new Map<string, Account>()
  readonly #waiting = new Map<string, Standing>()
  readonly #given = new Map<string, GivenSlot>()
  readonly #held = new Map<string, HeldPlace>()
  /** The newest plans of accounts whose plan was changed. A message that was sent before may carry an older one. */
  readonly #changed = new Map<string, LinePlan>()
  #now = 0
  /** Grows with each change of the order. */
  changes = 0
  /** While D1 is being read, every job that has moved since: its row as read may be out of date. */
  moved: Set<string> | undefined

  get size(): number {
    return this.#waiting.size
  }

  /** How many jobs have a turn. */
  get given(): number {
    return this.#given.size
  }

  get running(): number {
    return this.#held.size
  }

  has(jobId: string): boolean {
    return this.#waiting.has(jobId) || this.#given.has(jobId)
  }

  /** The job, while it has a turn. */
  withTurn(jobId: string): Waiting | undefined {
    return this.#given.get(jobId)?.standing
  }

  /** `latest`: the greatest position of all accounts, which stands for now. */
  setPlan(accountId: string, plan: TurnPlan, latest = 0): void {
    const { weight, maxRunning, version, turn } = plan
    const account = this.#account(accountId)
    const known = Math.max(account.turn ?? -1, turn ?? -1)
    account.turn = known < 0 ? null : known
    this.#now = Math.max(this.#now, latest, turn ?? 0)
    this.changePlan(accountId, { weight, maxRunning, version })
  }

  changePlan(accountId: string, plan: LinePlan): void {
    const { weight, maxRunning } = this.#newest(accountId, plan)
    const account = this.#accounts.get(accountId)
    if (account) Object.assign(account, { weight, maxRunning })
    this.changes++
  }

  #newest(accountId: string, plan: LinePlan): LinePlan {
    const known = this.#changed.get(accountId)
    if (known && known.version > plan.version) return known
    this.#changed.delete(accountId)
    if (plan.version > 0) this.#changed.set(accountId, plan)
    const [oldest] = this.#changed.keys()
    if (oldest !== undefined && this.#changed.size > mostChanged) this.#changed.delete(oldest)
    return plan
  }

  /** A job that is in the line already keeps its place. */
  join(job: Waiting): void {
    // A job that stands here may have been read as running: that would count for its account's cap for ever.
    if (this.#held.delete(job.jobId)) this.#account(job.accountId).held--
    const known = this.#waiting.get(job.jobId)
    if (known) known.chain = Math.max(known.chain, job.chain)
    if (known || this.#given.has(job.jobId)) return
    this.#enter({ ...job, passedUntil: 0 })
  }

  /** Gives the next job a turn; undefined if no job may begin now. */
  take(now: number): Waiting | undefined {
    const next = this.#next(now)
    if (!next) return undefined
    this.#leave(next)
    this.#given.set(next.jobId, { standing: next, until: now + turnMs })
    this.#account(next.accountId).given++
    return next
  }

  /** The turn of a job that is still being offered begins again. */
  renew(jobId: string, now: number): void {
    const given = this.#given.get(jobId)
    if (given) given.until = now + turnMs
  }

  /** The job has begun, and its account has paid for the turn. Returns false if nothing is known of the job. */
  begin(jobId: string, now: number): boolean {
    const standing = this.#endTurn(jobId) ?? this.#remove(jobId)
    if (!standing) return this.#held.has(jobId)
    const account = this.#account(standing.accountId)
    account.turn = Math.max(after(account), this.#now)
    this.#now = Math.max(this.#now, account.turn)
    this.hold(jobId, { accountId: standing.accountId, startedAt: now })
    return true
  }

  /** A job that runs, as far as a cap counts. */
  hold(jobId: string, { accountId, startedAt }: { accountId: string; startedAt: number }): void {
    if (this.#held.has(jobId)) return
    this.moved?.add(jobId)
    this.#held.set(jobId, { accountId, startedAt, hasSlot: true })
    this.#account(accountId).held++
  }

  /** The turn found no slot: the job gets its place back. `passed`: others may go first for a while. */
  putBack(jobId: string, { now, passed = false }: { now: number; passed?: boolean }): void {
    const standing = this.#endTurn(jobId)
    if (!standing) return
    this.#enter({ ...standing, passedUntil: passed ? now + passedMs : 0 })
  }

  /** A media worker with a free slot will have no job of this account for now. */
  passAccount(accountId: string, now: number): void {
    this.#account(accountId).passedUntil = now + passedMs
  }

  /** The job is over, or goes back to the queue. Returns what it had. */
  end(jobId: string): EndedPlace {
    this.moved?.add(jobId)
    const held = this.#held.get(jobId)
    if (held) {
      this.#held.delete(jobId)
      this.#account(held.accountId).held--
      this.#forgetIdle(held.accountId)
      return held.hasSlot ? { had: 'slot', held } : { had: 'left slot' }
    }
    const offered = this.#endTurn(jobId)
    const standing = offered ?? this.#remove(jobId)
    if (standing) this.#forgetIdle(standing.accountId)
    return { had: offered ? 'turn' : standing ? 'place' : 'nothing' }
  }

  /** Its place in the order of turns comes back from D1 with its next job. */
  #forgetIdle(accountId: string): void {
    const { waiting, given, held } = this.#account(accountId)
    if (waiting.length + given + held === 0) this.#accounts.delete(accountId)
  }

  /** The job goes on without its slot. Returns false if it had none. */
  leaveSlot(jobId: string): boolean {
    const held = this.#held.get(jobId)
    if (!held?.hasSlot) return false
    held.hasSlot = false
    return true
  }

  /** Gives jobs whose turns were not answered their places back. */
  expire(now: number): void {
    for (const [jobId, { until }] of this.#given) {
      if (!isToCome(until, now, turnMs)) this.putBack(jobId, { now })
    }
  }

  /** Some of the jobs that have waited too long. */
  overdue(now: number, most: number): Waiting[] {
    const found: Waiting[] = []
    for (const standing of this.#waiting.values()) {
      if (standing.deadline < now) found.push(standing)
      if (found.length >= most) break
    }
    return found
  }

  /** Whether the job has waited too long. This includes a job with a turn, because its object may never answer the call. */
  isLate(jobId: string, now: number): boolean {
    const standing = this.#waiting.get(jobId) ?? this.withTurn(jobId)
    return standing !== undefined && standing.deadline < now
  }

  /** When the line has to act without a call: a job has let others pass long enough, or a turn ends. */
  dueAt(now: number): number | undefined {
    const times: number[] = [...this.#given.values()].map(({ until }) => until)
    for (const { waiting, passedUntil } of this.#accounts.values()) {
      if (waiting[0]) times.push(Math.max(passedUntil, waiting[0].passedUntil))
    }
    const ahead = times.filter((time) => time > now)
    return ahead.length === 0 ? undefined : Math.min(...ahead)
  }

  /** All waiting jobs in the order in which they begin if nobody else comes; accounts that have a turn are first. */
  inOrder(): Waiting[] {
    const all: (NextInLine & { standing: Standing })[] = []
    for (const account of this.#accounts.values()) {
      const first = this.#placeOf(account)
      for (const [i, standing] of account.waiting.entries()) {
        const at = first + i / account.weight
        const last = i === 0 ? (account.turn ?? -1) : at - 1 / account.weight
        all.push({ standing, createdAt: standing.createdAt, at, last })
      }
    }
    all.sort(compare)
    return this.#oldestFirst([
      ...[...this.#given.values()].map(({ standing }) => standing),
      ...all.map(({ standing }) => standing),
    ])
  }

  /** A job whose turn found no slot stays before the younger ones of its account that are still being offered. */
  #oldestFirst(order: readonly Standing[]): Standing[] {
    const offered = [...this.#given.values()].map(({ standing }) => standing)
    const jobs = Map.groupBy(offered, ({ accountId }) => accountId)
    const next = new Map<string, Iterator<Standing, undefined>>()
    for (const [accountId, given] of jobs) {
      const all = [...given, ...this.#account(accountId).waiting]
      next.set(accountId, all.sort((a, b) => (isOlder(a, b) ? -1 : 1)).values())
    }
    return order.map((standing) => next.get(standing.accountId)?.next().value ?? standing)
  }

  /** The running jobs that have a slot. */
  withSlot(): { jobId: string; accountId: string; startedAt: number }[] {
    const all = [...this.#held].map(([jobId, held]) => ({ jobId, ...held }))
    return all.filter(({ hasSlot }) => hasSlot)
  }

  /** How many jobs of the account may run at once. */
  mostOf(accountId: string): number | null {
    return this.#accounts.get(accountId)?.maxRunning ?? null
  }

  /** How many jobs of the account are in the line, and how many run. */
  countOf(accountId: string): { waiting: number; running: number } {
    const { waiting, given, held } = this.#accounts.get(accountId) ?? empty
    return { waiting: waiting.length + given, running: held }
  }

  /** The ids of everything that the line knows. */
  known(): { waiting: string[]; held: string[] } {
    return { waiting: [...this.#waiting.keys()], held: [...this.#held.keys()] }
  }

  #account(accountId: string): Account {
    const known = this.#accounts.get(accountId)
    if (known) return known
    const account = { ...empty, waiting: [] }
    this.#accounts.set(accountId, account)
    return account
  }

  #placeOf(account: Account): number {
    return Math.max(after(account), this.#now) + account.given / account.weight
  }

  #next(now: number): Standing | undefined {
    let best: (NextInLine & { standing: Standing }) | undefined
    for (const account of this.#accounts.values()) {
      if (account.waiting.length === 0 || isPassed(account, now) || isAtCap(account)) continue
      const standing = account.waiting.find((waiting) => !isPassed(waiting, now))
      if (!standing) continue
      const [at, last, { createdAt }] = [this.#placeOf(account), account.turn ?? -1, standing]
      const candidate = { standing, at, last, createdAt }
      if (!best || compare(candidate, best) < 0) best = candidate
    }
    return best?.standing
  }

  /** Oldest first. Of two that came in one millisecond the same is always first, so that a job keeps its place. */
  #enter(standing: Standing): void {
    const { waiting } = this.#account(standing.accountId)
    const place = firstPlace(waiting.length, (at) => {
      const other = waiting[at]
      return !other || !isOlder(other, standing)
    })
    waiting.splice(place, 0, standing)
    this.#waiting.set(standing.jobId, standing)
    this.#note(standing.jobId)
  }

  #leave(standing: Standing): void {
    const { waiting } = this.#account(standing.accountId)
    waiting.splice(waiting.indexOf(standing), 1)
    this.#waiting.delete(standing.jobId)
    this.#note(standing.jobId)
  }

  #remove(jobId: string): Standing | undefined {
    const standing = this.#waiting.get(jobId)
    if (standing) this.#leave(standing)
    return standing
  }

  #endTurn(jobId: string): Standing | undefined {
    const given = this.#given.get(jobId)
    if (!given) return undefined
    this.#given.delete(jobId)
    this.#account(given.standing.accountId).given--
    this.#note(jobId)
    return given.standing
  }

  #note(jobId: string): void {
    this.changes++
    this.moved?.add(jobId)
  }
}

const empty: Account = {
  weight: 1,
  maxRunning: null,
  turn: null,
  waiting: [],
  given: 0,
  held: 0,
  passedUntil: 0,
}

function isOlder(one: Waiting, other: Waiting): boolean {
  if (one.createdAt !== other.createdAt) return one.createdAt < other.createdAt
  return one.jobId < other.jobId
}

/** One turn after the account's last job. */
function after({ turn, weight }: Account): number {
  return turn === null ? 0 : turn + 1 / weight
}

function isAtCap({ maxRunning, given, held }: Account): boolean {
  return maxRunning !== null && given + held >= maxRunning
}

function isPassed({ passedUntil }: { passedUntil: number }, now: number): boolean {
  return isToCome(passedUntil, now, passedMs)
}

/** Whether the moment is ahead. One further away than any that is ever set comes from before the clock was set back. */
function isToCome(moment: number, now: number, mostMs: number): boolean {
  return now < moment && moment <= now + mostMs
}

/** `at`: the job's place in the order of turns. `last`: the place of the account's job before it. */
type NextInLine = { at: number; last: number; createdAt: number }

/** At equal places, the account that has waited longest for a turn goes first, and a new account before all others. */
function compare(a: NextInLine, b: NextInLine): number {
  return a.at - b.at || a.last - b.last || a.createdAt - b.createdAt
}
