import { DurableObject } from 'cloudflare:workers'
import type { WorkDone } from '../contract/job/paces.ts'
import type { IdleSlots } from '../contract/job/part-job.ts'
import { askMediaWorkers, freeSlots } from '../service/jobs/ask-media-workers.ts'
import type {
  AccountInLine,
  ContainerFault,
  Dispatching,
  EnteredLine,
  Entering,
  OfferOutcome,
  Outlook,
  QueuePlace,
} from '../service/line/dispatching.ts'
import { PastPaces, type KeptPaces } from '../service/line/past-paces.ts'
import { Line, type LinePlan, type Waiting } from '../service/line/line.ts'
import type { Borrower } from '../service/line/lending.ts'
import { describeError, log } from '../service/log.ts'
import { Room } from '../service/line/room.ts'
import { readSettings, type Env, type Settings } from '../settings.ts'
import { jobRunner } from './job/job-runner.ts'
import { leftOf } from './job/ask-progress.ts'
import { LineForecast } from './line-forecast.ts'
import { PartLender } from './part-lender.ts'
import { readLine } from './read-line.ts'

/** Media workers are asked often, because asking costs nothing; to ask containers, one would have to be started. */
const pauses = {
  asked: { firstMs: 100, longestMs: 10_000 },
  started: { firstMs: 5_000, longestMs: 60_000 },
}
/** After this many refusals in a row the cause is not the jobs but the containers. */
const mostRefusals = 8
const overdueAtOnce = 16
/** Fewer refusals prove nothing: a container may be refused while another one is being started. */
const tellingRefusals = 3
/** A container that starts slowly is asked again after this time, by the job that it belongs to. */
const slowStartSeconds = 5

/**
 * Gives out the slots: holds the line of waiting jobs, and calls the next one when a slot falls free. All of it is in memory,
 * because D1 has the truth: whatever is lost is read again. Stored are only the alarm, which rings while anybody waits, the slots
 * that are lent, and how fast past jobs were.
 */
export class Dispatcher extends DurableObject<Env> implements Dispatching {
  readonly #line = new Line()
  readonly #forecast = new LineForecast(this.#line, async (jobId) => leftOf(this.env, jobId))
  readonly #settings: Settings
  readonly #room: Room
  readonly #lender: PartLender
  readonly #past: PastPaces
  /** Jobs that were called and have not answered. A job that has got another turn since stands in line as another entry. */
  readonly #called = new Set<Waiting>()
  readonly #background = new Set<Promise<void>>()
  #isWhole = false
  /** A job has begun of which nothing is known: the reading under way may have looked at it too early, and too late. */
  #hasMissed = false
  #reading: Promise<void> | undefined
  #alarmAt: number | undefined
  #refusals = 0
  #containerFault: ContainerFault | undefined
  /** The last look has found a free slot that no job has taken yet. */
  #hasFound = false

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#settings = readSettings(env)
    this.#past = new PastPaces(ctx.storage.kv.get<KeptPaces>('paces'))
    this.#room = new Room(this.#canAsk ? pauses.asked : pauses.started)
    this.#lender = new PartLender(this.#line, this.#room, this.#settings, ctx.storage.kv)
  }

  get #canAsk(): boolean {
    return this.#settings.mediaWorkers.urls.length > 0
  }

  async enter({ plan, latest, mayTryAtOnce, ...job }: Entering): Promise<EnteredLine> {
    const { paces } = this.#past
    const now = Date.now()
    this.#line.setPlan(job.accountId, plan, latest)
    const turn = this.#line.withTurn(job.jobId)
    if (turn) {
      this.#line.renew(job.jobId, now)
      // A turn is good for one offer. A job that was called makes that offer itself when it answers the call.
      return { may: this.#called.has(turn) ? 'wait' : 'go', paces }
    }
    this.#line.join(job)
    if (!mayTryAtOnce) this.#beWhole()
    const isNext = this.#assign(job.jobId)
    await this.#setAlarm()
    return { may: isNext ? 'go' : 'wait', paces }
  }

  async offered(jobId: string, outcome: OfferOutcome): Promise<void> {
    if (!this.#line.withTurn(jobId)) {
      // This object was restarted after it gave this turn, and has read that the job still waits: it would call it in
      // vain.
      if (outcome === 'started' && !this.#line.begin(jobId, Date.now())) this.#hasMissed = true
      // Or this object has not read the line yet, and learns from the row that the job waits.
      const waits = !this.#isWhole && outcome !== 'started' && outcome !== 'over'
      if (waits) await this.#ringAt(Date.now() + pauses.started.longestMs)
      return
    }
    await this.#note(jobId, outcome)
    this.#assign()
    await this.#setAlarm()
  }

  async left(jobId: string, freesSlot: boolean, worked: readonly WorkDone[] = []): Promise<void> {
    if (worked.length > 0) {
      this.#past.note(worked)
      this.ctx.storage.kv.put('paces', this.#past.kept)
    }
    const { had, held } = this.#line.end(jobId)
    if (held) {
      const { accountId, startedAt } = held
      this.#forecast.note({ accountId, ms: Date.now() - startedAt })
    }
    const isKnown = had !== 'nothing' || this.#isWhole
    // A job that left its slot took another one when its sources had arrived, of which this object is not told.
    const mayFree = had === 'place' || had === 'left slot' || !isKnown
    // The slot for which a job was called is not taken if the job ends before it begins.
    if (had === 'slot' || had === 'turn' || (freesSlot && mayFree)) this.#room.freed()
    await this.#wakeLine()
  }

  async leftSlot(jobId: string): Promise<void> {
    if (this.#line.leaveSlot(jobId) || !this.#isWhole) this.#room.freed()
    await this.#wakeLine()
  }

  async changePlan(accountId: string, plan: LinePlan): Promise<void> {
    this.#line.changePlan(accountId, plan)
    // Without a cap, nothing has checked whether all jobs that count as running still run.
    if (plan.maxRunning !== null) this.#isWhole = false
    await this.#wakeLine()
  }

  async lookAfter(accounts: AccountInLine[]): Promise<void> {
    for (const { accountId, ...plan } of accounts) this.#line.setPlan(accountId, plan)
    // If nobody else waits, no alarm rings for a turn whose job does not answer.
    this.#line.expire(Date.now())
    if (!this.#isWhole || accounts.some((account) => this.#misses(account))) await this.#readAll()
    this.#assign()
    await this.#setAlarm()
  }

  async waitingOf(jobIds: string[]): Promise<string[]> {
    const now = Date.now()
    return jobIds.filter((jobId) => this.#line.has(jobId) && !this.#line.isLate(jobId, now))
  }

  async placesOf(jobIds: string[]): Promise<(QueuePlace | undefined)[]> {
    await this.#knowLine()
    return this.#forecast.placesOf(jobIds, Date.now())
  }

  async outlook(accountId: string): Promise<Outlook> {
    await this.#knowLine()
    const { paces } = this.#past
    const { urls } = this.#settings.mediaWorkers
    const free = this.#canAsk ? freeSlots(await askMediaWorkers(urls)) : Infinity
    const isNext = free - this.#line.given > 0 && this.#line.size === 0
    const startsInMs = isNext ? 0 : await this.#forecast.startsNext(accountId, Date.now())
    return { paces, startsInMs }
  }

  async containerStarted(fault: string | undefined): Promise<void> {
    const refused = (this.#containerFault?.refused ?? 0) + 1
    this.#containerFault = fault === undefined ? undefined : { refused, said: fault }
  }

  /** While containers run, a refusal only means that there are no more of them. */
  async containerFault(): Promise<ContainerFault | undefined> {
    const fault = this.#containerFault
    const tells =
      fault !== undefined && fault.refused >= tellingRefusals && this.#line.running === 0
    return tells ? fault : undefined
  }

  async idleFor(borrower: Borrower): Promise<IdleSlots> {
    await this.#knowLine(borrower.maxRunning !== null)
    return this.#lender.idleFor(borrower)
  }

  async lend(borrower: Borrower, slot: number, held: number[]): Promise<boolean> {
    await this.#knowLine(borrower.maxRunning !== null)
    return this.#lender.lend(borrower, slot, held)
  }

  async keepLent(borrower: Borrower, slots: number[]): Promise<void> {
    this.#lender.keep(borrower, slots)
  }

  async giveBack(jobId: string, slots: number[] | 'all'): Promise<void> {
    this.#lender.giveBack(jobId, slots)
    await this.#wakeLine()
  }

  async noContainer(jobId: string, slot: number): Promise<void> {
    this.#lender.refused(jobId, slot)
  }

  async lent(): Promise<number> {
    this.#lender.expire()
    return this.#lender.count
  }

  override async alarm(): Promise<void> {
    this.#alarmAt = undefined
    const now = Date.now()
    try {
      if (!this.#isWhole) await this.#readAll()
    } catch (error) {
      // Work goes on with the line as it is known; the next alarm reads it again.
      log('error', 'the line was not read', describeError(error))
    }
    this.#line.expire(now)
    this.#lender.expire()
    for (const late of this.#line.overdue(now, overdueAtOnce)) this.#call(late)
    const { lookAt } = this.#room
    if (this.#line.size > 0 && this.#room.isFull && lookAt !== undefined && lookAt <= now) {
      await this.#look()
    }
    this.#assign()
    await this.#setAlarm()
  }

  /** Resolves when everything that this object does in the background has ended. */
  async settled(): Promise<void> {
    while (this.#background.size > 0) await Promise.all(this.#background)
  }

  /** If an alarm is set although nothing is known, jobs stood in line before this object was restarted. */
  async #wakeLine(): Promise<void> {
    if (!this.#isWhole && (await this.ctx.storage.getAlarm()) !== null) this.#beWhole()
    this.#assign()
    await this.#setAlarm()
  }

  /** Reads the line if it may hold jobs that this object does not know, or if a cap depends on what runs. */
  async #knowLine(isCapped = false): Promise<void> {
    if (this.#isWhole) return
    const mayWait = this.#line.size > 0 || (await this.ctx.storage.getAlarm()) !== null
    if (isCapped || mayWait) await this.#readAll()
  }

  #misses({ accountId, waiting, running, maxRunning }: AccountInLine): boolean {
    const known = this.#line.countOf(accountId)
    return known.waiting < waiting || (maxRunning !== null && known.running !== running)
  }

  #beWhole(): void {
    if (!this.#isWhole) this.#inBackground('the line was not read', async () => this.#readAll())
  }

  async #readAll(): Promise<void> {
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined))
    await this.#reading
    this.#assign()
    await this.#setAlarm()
  }

  async #read(): Promise<void> {
    this.#hasMissed = false
    const worked = await readLine(this.env.DB, this.#line, this.#settings)
    for (const one of worked) this.#forecast.note(one)
    // Jobs in line mean that there was no room a moment ago.
    if (this.#canAsk && this.#line.size > 0 && !this.#room.isKnown) await this.#look()
    this.#isWhole = !this.#hasMissed
  }

  /** Calls the next jobs as long as there is room. Returns whether this job is one of them; it is not called. */
  #assign(own?: string): boolean {
    // While the line is being read, the next job is not known.
    if (this.#reading) return false
    let hasOwn = false
    while (this.#line.size > 0 && this.#room.admit(this.#line.given)) {
      const next = this.#line.take(Date.now())
      if (!next) {
        this.#room.returnPlace()
        break
      }
      if (next.jobId === own) hasOwn = true
      else this.#call(next)
    }
    return hasOwn
  }

  /**
   * If the call fails, the job is sent a message and keeps its turn until that arrives. An answer that comes after the
   * turn has ended says nothing about the next turn: the job may have begun and be back in line by then.
   */
  #call(job: Waiting): void {
    const { jobId, chain } = job
    if (this.#called.has(job)) return
    this.#called.add(job)
    this.#inBackground('a job was not called', async () => {
      try {
        const asked = jobRunner(this.env, jobId).answerCall(jobId, this.#past.paces)
        const outcome = await asked.finally(() => this.#called.delete(job))
        if (this.#line.withTurn(jobId) === job) await this.offered(jobId, outcome)
      } catch (error) {
        log('warn', 'a job did not answer its call', { jobId, ...describeError(error) })
        await this.env.JOBS.send({ kind: 'dispatch', jobId, chain })
      }
    })
  }

  /** Runs work that the caller does not wait for. If it fails, the alarm repairs what is missing. */
  #inBackground(event: string, work: () => Promise<void>): void {
    const done = work().catch((error: unknown) => log('warn', event, describeError(error)))
    this.#background.add(done)
    void done.finally(() => this.#background.delete(done))
    this.ctx.waitUntil(done)
  }

  async #note(jobId: string, outcome: OfferOutcome): Promise<void> {
    const now = Date.now()
    if (outcome !== 'refused') this.#refusals = 0
    switch (outcome) {
      case 'started':
        this.#line.begin(jobId, now)
        this.#room.started()
        this.#hasFound = false
        return
      case 'over':
        this.#line.end(jobId)
        this.#room.returnPlace()
        return
      case 'busy':
        this.#noteBusy(jobId, now)
        return
      case 'refused':
        this.#line.putBack(jobId, { now, passed: true })
        if (++this.#refusals < mostRefusals) this.#room.returnPlace()
        else this.#room.foundNone(now)
        return
      case 'silent':
        await this.#noteSilence(jobId, now)
        return
    }
  }

  /** The worker may have slots, but none for an account with too many slow sources: others go first then. */
  #noteBusy(jobId: string, now: number): void {
    const accountId = this.#line.withTurn(jobId)?.accountId
    this.#line.putBack(jobId, { now })
    if (accountId !== undefined && this.#hasFound) this.#line.passAccount(accountId, now)
    this.#hasFound = false
    this.#room.foundNone(now)
  }

  /** Silent media workers are asked until they answer. A silent container belongs to this job, which keeps its turn. */
  async #noteSilence(jobId: string, now: number): Promise<void> {
    if (this.#canAsk) {
      this.#line.putBack(jobId, { now, passed: true })
      this.#room.foundNone(now)
      return
    }
    this.#line.renew(jobId, now)
    const { chain } = this.#line.withTurn(jobId) ?? {}
    const message = { kind: 'dispatch', jobId, chain }
    await this.env.JOBS.send(message, { delaySeconds: slowStartSeconds })
  }

  async #look(): Promise<void> {
    if (!this.#canAsk) {
      this.#room.tryOne(Date.now())
      return
    }
    const { urls } = this.#settings.mediaWorkers
    const free = freeSlots(await askMediaWorkers(urls)) - this.#line.given
    this.#hasFound = free > 0
    this.#room.found(free, Date.now())
  }

  /** Rings when something is due by itself, and regularly while anybody waits, so that this object stays in memory. */
  async #setAlarm(): Promise<void> {
    const now = Date.now()
    if (this.#line.size === 0 && this.#called.size === 0) return
    const { asked, started } = pauses
    const pause = this.#canAsk ? asked.longestMs : started.longestMs
    const lookAt = this.#room.isFull && this.#line.size > 0 ? this.#room.lookAt : undefined
    const at = Math.min(now + pause, lookAt ?? Infinity, this.#line.dueAt(now) ?? Infinity)
    await this.#ringAt(Math.max(at, now + 1))
  }

  async #ringAt(at: number): Promise<void> {
    if (this.#alarmAt !== undefined && this.#alarmAt > Date.now() && this.#alarmAt <= at) return
    this.#alarmAt = at
    await this.ctx.storage.setAlarm(at)
  }
}
