import { isTerminal } from '../../../worker/contract/video/video-state.ts'
import { jobRunner } from '../../../worker/durable/job/job-runner.ts'
import type { Client } from '../../support/worker/client.ts'
import { bindings } from '../../support/worker/bindings.ts'
import { advanceSeconds } from '../../support/worker/clock.ts'
import { forgetSlots, slots } from '../../support/worker/dispatcher.ts'
import type { JobQueue } from '../../support/worker/job-queue.ts'
import { healthAnswer, type MediaWorkers, busy, taken } from '../../support/worker/media-workers.ts'
import { aVideo, jobRow, videoRow, type Created } from '../../support/worker/videos.ts'
import { type Fault, type FaultPoints, despiteFaults } from './fault-points.ts'
import { attemptsOf, historyOf } from './found-run.ts'
import { LivingObject } from './living-object.ts'
import { MediaAgent } from './media-agent.ts'
import { RedeliveringQueue } from './redelivering-queue.ts'
import { tick } from '../../support/worker/tick.ts'

type Surroundings = { points: FaultPoints; queue: JobQueue; media: MediaWorkers }
type Job = Created & { object: LivingObject }

/** More than enough for a few leases and the pauses of the sweep. */
const mostRounds = 150
/** The quarter of an hour for which the sweep leaves a waiting job alone, and some more. */
const mostMinutes = 60

/**
 * Two jobs and one slot: the first works, the second stands in line and is called when the first has ended. Everybody does
 * only what it does in production, so they have to repair whatever a fault has broken.
 */
export class TwoJobs {
  readonly #points: FaultPoints
  readonly #standIns: Surroundings
  readonly #messages = new RedeliveringQueue('spool-jobs')
  readonly #slots: LivingObject
  #agents: MediaAgent[] = []
  #jobs: Job[] = []
  #sweptAt = Date.now()
  /** The points of the run, in the order in which they were reached. */
  met: readonly string[] = []
  readonly #broken: string[] = []

  constructor(standIns: Surroundings) {
    this.#standIns = standIns
    this.#points = standIns.points
    this.#slots = new LivingObject(slots(), this.#points)
    this.#beOneSlot()
  }

  async run(clients: readonly [Client, Client], fault?: Fault): Promise<string[]> {
    const began = Date.now()
    await this.#points.outside(async () => {
      await forgetSlots()
      // The first has the slot before anything fails, and the second comes to the line.
      await this.#add(clients[0])
      this.#collect()
      await this.#messages.deliverDue(async (work) => this.#step(work))
      advanceSeconds(1)
      await this.#add(clients[1])
    })
    this.#points.arm(fault)
    await this.#untilOver()
    if (fault?.mishap === 'late') {
      await this.#points.sayLate()
      await this.#untilOver()
    }
    this.met = [...this.#points.met]
    if (fault && this.#points.strikes < 1) this.#broken.push('never came there')
    const minutes = (Date.now() - began) / 60_000
    if (minutes > mostMinutes) this.#broken.push(`took ${Math.round(minutes)} minutes`)
    return this.#points.outside(async () => this.#judge(clients))
  }

  /** Of all media workers, the first takes one job at a time. */
  #beOneSlot(): void {
    const { media } = this.#standIns
    const isFree = (worker: string) => worker === media.urls[0] && !this.#isWorking
    media.takeJob = ({ worker, job }) => {
      if (!isFree(worker)) return busy()
      this.#agents.push(new MediaAgent(this.#points, job, 'succeed'))
      return taken()
    }
    media.answerHealth = (worker) => healthAnswer({ running: isFree(worker) ? 0 : 1 })
    media.answerCancel = () => {
      const { jobId, fence } = media.cancels.at(-1) ?? {}
      const agent = this.#agents.find(
        ({ attempt: { job } }) => job.jobId === jobId && job.fence === fence,
      )
      if (agent) agent.stopped = true
      return Response.json({ canceled: agent !== undefined })
    }
  }

  get #isWorking(): boolean {
    return this.#agents.some(({ isBusy }) => isBusy)
  }

  async #add(client: Client): Promise<void> {
    const created = await aVideo(client)
    const object = new LivingObject(jobRunner(bindings, created.jobId), this.#points)
    this.#jobs.push({ ...created, object })
  }

  async #untilOver(): Promise<void> {
    for (let round = 0; round < mostRounds; round++) {
      await this.#round()
      if (await this.#isOver()) return
      advanceSeconds(Math.max(1, Math.ceil(((await this.#nextAt()) - Date.now()) / 1000)))
    }
  }

  async #round(): Promise<void> {
    this.#collect()
    await this.#messages.deliverDue(async (work) => this.#step(work))
    for (const agent of this.#agents) if (agent.isBusy) await this.#step(async () => agent.act())
    for (const object of this.#objects) await object.ring(async (work) => this.#step(work))
    this.#collect()
    if (this.#points.struck && Date.now() - this.#sweptAt >= 60_000) {
      this.#sweptAt = Date.now()
      await this.#step(tick)
    }
    this.#collect()
  }

  get #objects(): LivingObject[] {
    return [...this.#jobs.map(({ object }) => object), this.#slots]
  }

  async #isOver(): Promise<boolean> {
    if (!this.#messages.isEmpty || this.#isWorking) return false
    const rows = await this.#points.outside(async () =>
      Promise.all(this.#jobs.map(async ({ videoId }) => videoRow(videoId))),
    )
    return rows.every((row) => row && isTerminal(row.status))
  }

  async #nextAt(): Promise<number> {
    const alarms = await Promise.all(this.#objects.map(async (object) => object.alarmAt()))
    const times = [this.#messages.dueAt, ...alarms]
    if (this.#isWorking) times.push(Date.now() + 5_000)
    if (this.#points.struck) times.push(this.#sweptAt + 60_000)
    const ahead = times.filter((time) => time !== undefined)
    return ahead.length === 0 ? Date.now() + 60_000 : Math.min(...ahead)
  }

  /** Does something, and restarts the process if it dies. Returns true if it survived. */
  async #step(work: () => Promise<void>): Promise<boolean> {
    await despiteFaults(work)
    for (const object of this.#objects) await object.settle()
    if (!this.#points.dead) return true
    await this.#startAgain()
    return false
  }

  async #startAgain(): Promise<void> {
    const { points, queue } = this.#standIns
    for (const object of this.#objects) await object.die()
    if (points.isBlackout) {
      this.#messages.forget()
      queue.sent.length = 0
      this.#agents = []
    }
    points.dead = false
  }

  #collect(): void {
    for (const { body, delaySeconds } of this.#standIns.queue.sent.splice(0)) {
      this.#messages.add(body, delaySeconds)
    }
  }

  async #judge([client]: readonly [Client, Client]): Promise<string[]> {
    for (const [i, { videoId, jobId }] of this.#jobs.entries()) {
      const ends = (await historyOf(videoId)).filter(
        ({ was, becomes }) => was !== becomes && !['queued', 'running'].includes(becomes),
      )
      const became = ends.map(({ becomes }) => becomes).join()
      if (became !== 'succeeded') this.#broken.push(`job ${i + 1} ended: ${became || 'never'}`)
      const attempts = await attemptsOf(jobId)
      const made = attempts.filter(({ outcome }) => outcome === 'succeeded').length
      const open = attempts.filter(({ outcome }) => outcome === null).length
      if (made !== 1 || open > 0) this.#broken.push(`job ${i + 1}: ${made} made, ${open} open`)
      if (!(await jobRow(jobId))?.finishedAt) this.#broken.push(`job ${i + 1} is not done`)
    }
    if (this.#broken.length === 0) await this.#judgeSlot(client)
    return this.#broken
  }

  /** The slot is there for the next job, at the latest when media workers are asked again. */
  async #judgeSlot(client: Client): Promise<void> {
    this.#points.arm(undefined)
    const before = Date.now()
    await this.#add(client)
    const last = this.#jobs.at(-1)
    for (let i = 0; i < 10 && (await this.#statusOf(last)) === 'queued'; i++) {
      await this.#round()
      if ((await this.#statusOf(last)) !== 'queued') break
      advanceSeconds(5)
    }
    const waited = (Date.now() - before) / 1000
    if (waited > 20) this.#broken.push(`the slot was free after ${waited} s only`)
    await this.#untilOver()
    if ((await this.#statusOf(last)) !== 'succeeded') this.#broken.push('the next job did not end')
  }

  async #statusOf(job: Job | undefined): Promise<string | undefined> {
    return (await videoRow(job?.videoId ?? ''))?.status
  }
}
