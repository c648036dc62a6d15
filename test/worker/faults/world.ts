import { tick } from '../../support/worker/tick.ts'
import { isTerminal } from '../../../worker/contract/video/video-state.ts'
import { jobRunner } from '../../../worker/durable/job/job-runner.ts'
import { webhookEndpoint } from '../../../worker/durable/webhook-endpoint.ts'
import { bindings } from '../../support/worker/bindings.ts'
import { forgetSlots, slots } from '../../support/worker/dispatcher.ts'
import type { Client } from '../../support/worker/client.ts'
import { advanceSeconds } from '../../support/worker/clock.ts'
import type { JobQueue } from '../../support/worker/job-queue.ts'
import { type MediaWorkers, busy, taken } from '../../support/worker/media-workers.ts'
import type { Received, Receivers } from '../../support/worker/webhooks.ts'
import { ApiUser } from './api-user.ts'
import { type Fault, type FaultPoints, despiteFaults } from './fault-points.ts'
import { findRun, foundNothing, type FoundRun } from './found-run.ts'
import { LivingObject } from './living-object.ts'
import { MediaAgent } from './media-agent.ts'
import { RedeliveringQueue } from './redelivering-queue.ts'
import type { Scenario } from './scenarios.ts'

export type StandIns = {
  points: FaultPoints
  queue: JobQueue
  media: MediaWorkers
  receivers: Receivers
  client: Client
}

/**
 * More than enough for three leases, the pauses of the sweep, and the quarter of an hour for which a form holds its
 * key.
 */
const mostRounds = 120
let runs = 0

/**
 * One run of a scenario with all participants: the client, the queues, the media workers, the receiver, the alarms and
 * the sweep. Each does only what it does in production, so they have to repair whatever a fault has broken.
 */
export class World {
  readonly name = `run-${++runs}`
  readonly url = `https://${this.name}.example.com/hook`
  readonly user: ApiUser
  readonly endpoint: LivingObject
  readonly slots: LivingObject
  job: LivingObject | undefined
  agents: MediaAgent[] = []
  found: FoundRun = foundNothing
  readonly #standIns: StandIns
  readonly #scenario: Scenario
  readonly #jobs = new RedeliveringQueue('spool-jobs')
  readonly #webhooks = new RedeliveringQueue('spool-webhooks')
  #losesNext: boolean
  #sweptAt = Date.now()

  constructor(standIns: StandIns, scenario: Scenario) {
    const { media, points, client, receivers } = standIns
    this.#standIns = standIns
    this.#scenario = scenario
    this.#losesNext = scenario.losesMessage
    this.slots = new LivingObject(slots(), points)
    this.user = new ApiUser(standIns, scenario, this)
    this.endpoint = new LivingObject(webhookEndpoint(bindings, client.accountId, this.url), points)
    let begun = 0
    const isBusy = ['cancels at once', 'cancels while it waits'].includes(scenario.then)
    media.takeJob = ({ job }) => {
      if (isBusy && !this.user.last) return busy()
      const script = scenario.attempts[Math.min(begun++, scenario.attempts.length - 1)]
      this.agents.push(new MediaAgent(points, job, script ?? 'succeed'))
      return taken()
    }
    media.answerCancel = () => {
      const last = media.cancels.at(-1)
      const agent = this.agents.find(({ attempt }) => attempt.job.fence === last?.fence)
      if (agent) agent.stopped = true
      return Response.json({ canceled: agent !== undefined })
    }
    receivers.answer = () => {
      const { receiver } = scenario
      const status = receiver[Math.min(this.received.length, receiver.length) - 1]
      return new Response('heard', { status: status ?? 200 })
    }
  }

  /** The requests to the receiver of this run. */
  get received(): Received[] {
    return this.#standIns.receivers.received.filter(({ url }) => url === this.url)
  }

  /** Lets all participants act until none has anything left to do. */
  async run(fault?: Fault): Promise<void> {
    const { points } = this.#standIns
    // Each run meets the same steps, whatever the dispatcher has learned in the run before.
    await points.outside(forgetSlots)
    points.arm(fault)
    await this.#untilOver()
    if (fault?.mishap !== 'late') return
    await points.sayLate()
    await this.#untilOver()
  }

  async #untilOver(): Promise<void> {
    for (let round = 0; round < mostRounds; round++) {
      await this.#round()
      if (this.#isOver()) return
      advanceSeconds(Math.max(1, Math.ceil((await this.#nextAt()) - Date.now()) / 1000))
    }
  }

  async #round(): Promise<void> {
    if (this.user.isWaiting) await this.#step(async () => this.user.act(this.found))
    this.#collect()
    await this.#jobs.deliverDue(async (work) => this.#step(work))
    for (const agent of this.agents) {
      if (agent.isBusy) await this.#step(async () => agent.act())
    }
    await this.job?.ring(async (work) => this.#step(work))
    await this.slots.ring(async (work) => this.#step(work))
    this.#collect()
    await this.#webhooks.deliverDue(async (work) => this.#step(work))
    await this.endpoint.ring(async (work) => this.#step(work))
    await this.#sweepTicks()
    this.#collect()
    await this.#look()
  }

  #isOver(): boolean {
    const { video, events } = this.found
    if (video && !isTerminal(video.status)) return false
    if (events.some(({ delivery }) => delivery?.status === 'pending')) return false
    const isQuiet = this.#jobs.isEmpty && this.#webhooks.isEmpty
    return isQuiet && !this.user.isWaiting && !this.agents.some(({ isBusy }) => isBusy)
  }

  /** When a participant has something to do again. */
  async #nextAt(): Promise<number> {
    const { job, video, events } = this.found
    const times = [this.#jobs.dueAt, this.#webhooks.dueAt]
    const slotsAt = await this.slots.alarmAt()
    if (video && !isTerminal(video.status)) {
      times.push(await this.job?.alarmAt(), job?.sweepAfter, slotsAt)
    }
    const pending = events.filter(({ delivery }) => delivery?.status === 'pending')
    if (pending.length > 0) times.push(await this.endpoint.alarmAt())
    times.push(...pending.map(({ delivery }) => delivery?.sweepAfter))
    if (this.user.isWaiting) times.push(this.user.asksAt)
    if (this.agents.some(({ isBusy }) => isBusy)) times.push(Date.now() + 15_000)
    const known = times.filter((time) => time !== undefined)
    return known.length === 0 ? Date.now() + 60_000 : Math.min(...known)
  }

  async #look(): Promise<void> {
    const { points } = this.#standIns
    this.found = await points.outside(async () => findRun(this))
    const { job } = this.found
    if (job) this.job ??= new LivingObject(jobRunner(bindings, job.id), points)
  }

  /** Does something, and restarts the process if it dies. Returns true if it survived. */
  async #step(work: () => Promise<void>): Promise<boolean> {
    const { points } = this.#standIns
    const before = points.met.length
    await despiteFaults(work)
    await this.#settle(points.met.slice(before))
    if (!points.dead) return true
    await this.#startAgain()
    return false
  }

  /** Waits for all work that continues after the answers. */
  async #settle(met: readonly string[]): Promise<void> {
    const { points } = this.#standIns
    if (points.dead) await this.#look()
    if (points.dead || points.hasBackground) {
      await this.job?.settle()
      await this.slots.settle()
    }
    if (points.dead || met.some((point) => /^object: .*deliveries/.test(point))) {
      await this.endpoint.settle()
    }
  }

  async #startAgain(): Promise<void> {
    const { points, queue } = this.#standIns
    await this.job?.die()
    await this.slots.die()
    await this.endpoint.die()
    if (points.isBlackout) {
      for (const kept of [this.#jobs, this.#webhooks]) kept.forget()
      queue.sent.length = 0
      queue.deliveries.length = 0
      this.agents = []
    }
    points.dead = false
  }

  /** Puts newly sent messages into the queues. */
  #collect(): void {
    const { sent, deliveries } = this.#standIns.queue
    for (const { body, delaySeconds } of sent.splice(0)) {
      if (this.#losesNext) this.#losesNext = false
      else this.#jobs.add(body, delaySeconds)
    }
    for (const deliveryId of deliveries.splice(0)) {
      this.#webhooks.add({ kind: 'deliver', deliveryId })
    }
  }

  /** Runs once a minute. If nothing is broken the sweep has nothing to do, so its own steps are not points. */
  async #sweepTicks(): Promise<void> {
    if (Date.now() - this.#sweptAt < 60_000) return
    if (!this.#standIns.points.struck && !this.#scenario.losesMessage) return
    this.#sweptAt = Date.now()
    await this.#step(tick)
  }
}
