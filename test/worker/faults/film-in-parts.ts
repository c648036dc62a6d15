import { isTerminal } from '../../../worker/contract/video/video-state.ts'
import { partsAnswers } from '../../../worker/contract/job/part-job.ts'
import { jobRunner } from '../../../worker/durable/job/job-runner.ts'
import { Attempt } from '../../support/worker/attempt.ts'
import { bindings } from '../../support/worker/bindings.ts'
import type { Answer, Client } from '../../support/worker/client.ts'
import { advanceSeconds } from '../../support/worker/clock.ts'
import { forgetSlots, slots } from '../../support/worker/dispatcher.ts'
import { aPartSpec, FilmLead, PartHand, partKeys } from '../../support/worker/film.ts'
import type { JobQueue } from '../../support/worker/job-queue.ts'
import { healthAnswer, type MediaWorkers, taken, busy } from '../../support/worker/media-workers.ts'
import { aVideo, videoRow, type Created } from '../../support/worker/videos.ts'
import { type Fault, type FaultPoints, despiteFaults } from './fault-points.ts'
import { LivingObject } from './living-object.ts'
import { RedeliveringQueue } from './redelivering-queue.ts'
import { tick } from '../../support/worker/tick.ts'

type Surroundings = { points: FaultPoints; queue: JobQueue; media: MediaWorkers }
type State = 'wanted' | 'given' | 'stored'
type Part = { n: number; tries: number; state: State }

const mostRounds = 200
/** As often as an engine tries one part. */
const mostTries = 30
/** What is late may still come in these. */
const leastMinutes = 4

/** A media worker with one part, which says everything until it is answered. */
class Renderer {
  readonly hand: PartHand
  readonly #points: FaultPoints
  #step: 'progress' | 'upload' | 'done' | 'over' = 'progress'
  #written: Awaited<ReturnType<PartHand['write']>> = []

  constructor(points: FaultPoints, hand: PartHand) {
    this.#points = points
    this.hand = hand
  }

  get isBusy(): boolean {
    return this.#step !== 'over'
  }

  stop(): void {
    this.#step = 'over'
  }

  async act(): Promise<void> {
    const { n } = this.hand.part
    const name = `says: part ${n} ${this.#step}`
    const answer = await this.#points.say(name, async () => this.#say())
    if (!answer) return
    if (answer.status === 401 || answer.status === 409) this.stop()
    else if (answer.status === 200) await this.#goOn(answer)
  }

  async #say(): Promise<Answer> {
    if (this.#step === 'progress') return this.hand.progress(5)
    if (this.#step === 'upload') return this.hand.askForUpload()
    return this.hand.done(this.#written)
  }

  async #goOn(answer: Answer): Promise<void> {
    if (answer.json['action'] === 'stop') this.stop()
    else if (this.#step === 'progress') this.#step = 'upload'
    else if (this.#step === 'upload') {
      this.#written = await this.#points.outside(async () => this.hand.write(answer))
      this.#step = 'done'
    }
  }
}

/** The lead of one attempt: has two parts rendered elsewhere, each until it is stored, and then ends its job. */
class Leader {
  readonly attempt: Attempt
  readonly lead: FilmLead
  readonly #points: FaultPoints
  readonly #parts: Part[] = [0, 1].map((n) => ({ n, tries: 1, state: 'wanted' }))
  #written: Awaited<ReturnType<Attempt['upload']>>[] | undefined
  isBusy = true
  isRefused = false

  constructor(points: FaultPoints, attempt: Attempt) {
    this.#points = points
    this.attempt = attempt
    this.lead = new FilmLead(attempt.job)
  }

  async act(): Promise<void> {
    const wanted = this.#parts.find(({ state }) => state === 'wanted')
    if (wanted) await this.#give(wanted)
    const given = this.#parts.filter(({ state }) => state === 'given')
    if (this.isBusy && given.length > 0) await this.#look(given)
    if (this.isBusy && this.#parts.every(({ state }) => state === 'stored')) await this.#finish()
  }

  async #ask(name: string, send: () => Promise<Answer>): Promise<Answer | undefined> {
    const answer = await this.#points.say(`says: ${name}`, send)
    if (answer?.status === 401 || answer?.status === 409 || answer?.json['action'] === 'stop') {
      this.isBusy = false
    }
    return answer?.status === 200 && this.isBusy ? answer : undefined
  }

  async #give(part: Part): Promise<void> {
    const { n, tries } = part
    const answer = await this.#ask(`give ${n}`, async () =>
      this.lead.ask({ ask: 'give', n, try: tries, spec: aPartSpec(n), files: [] }),
    )
    if (!answer) return
    if (partsAnswers.give.parse(answer.json).taken) part.state = 'given'
    else this.#again(part)
  }

  #again(part: Part): void {
    part.tries++
    part.state = 'wanted'
    if (part.tries > mostTries) this.isRefused = true
  }

  async #look(given: readonly Part[]): Promise<void> {
    const parts = given.map(({ n, tries }) => ({ n, try: tries }))
    const answer = await this.#ask('state', async () => this.lead.ask({ ask: 'state', parts }))
    if (!answer) return
    for (const told of partsAnswers.state.parse(answer.json).parts) {
      const part = given.find(({ n }) => n === told.n)
      if (part && told.state === 'stored') part.state = 'stored'
      if (part && told.state === 'failed') this.#again(part)
    }
  }

  async #finish(): Promise<void> {
    if (!this.#written) {
      const kept = this.attempt.sequence
      const written = await this.#points
        .outside(async () => this.attempt.upload('final', 'a whole film'))
        .catch(() => undefined)
      this.attempt.sequence = kept
      if (!written) return
      this.#written = [written]
    }
    const written = this.#written
    const before = this.attempt.sequence
    await this.#points.say('says: succeeded', async () => {
      this.attempt.sequence = before
      const answer = await this.attempt.succeed(written)
      if (answer.json['action'] === 'stop') this.isBusy = false
      return answer
    })
  }
}

/**
 * A film whose lead has two parts of it rendered elsewhere. Everybody does only what it does in production, so they have to
 * repair whatever a fault has broken.
 */
export class FilmInParts {
  readonly #points: FaultPoints
  readonly #standIns: Surroundings
  readonly #messages = new RedeliveringQueue('spool-jobs')
  readonly #slots: LivingObject
  readonly #cancels: boolean
  #leaders: Leader[] = []
  #renderers: Renderer[] = []
  #job: (Created & { object: LivingObject }) | undefined
  #sweptAt = Date.now()
  #hasCanceled = false
  met: readonly string[] = []

  constructor(standIns: Surroundings, { cancels }: { cancels: boolean }) {
    this.#standIns = standIns
    this.#points = standIns.points
    this.#cancels = cancels
    this.#slots = new LivingObject(slots(), this.#points)
    const { media } = standIns
    media.takeJob = ({ job }) => {
      if (this.#leaders.some(({ isBusy }) => isBusy)) return busy()
      this.#leaders.push(new Leader(this.#points, new Attempt(job)))
      return taken()
    }
    media.takePart = ({ part }) => {
      this.#renderers.push(new Renderer(this.#points, new PartHand(part)))
      return taken()
    }
    media.answerHealth = () => healthAnswer({ slots: 4, running: 0 })
    media.answerCancel = () => {
      const { fence, part } = media.cancels.at(-1) ?? {}
      for (const one of this.#renderers) {
        const { part: own } = one.hand
        if (own.fence === fence && own.n === part?.n && own.try === part.try) one.stop()
      }
      for (const one of this.#leaders) {
        if (!part && one.attempt.job.fence === fence) one.isBusy = false
      }
      return Response.json({ canceled: true })
    }
  }

  async run(client: Client, fault?: Fault): Promise<string[]> {
    await this.#points.outside(async () => {
      await forgetSlots()
      const created = await aVideo(client)
      const object = new LivingObject(jobRunner(bindings, created.jobId), this.#points)
      this.#job = { ...created, object }
      this.#collect()
      await this.#messages.deliverDue(async (work) => this.#step(work))
    })
    this.#points.arm(fault)
    await this.#untilOver(client)
    if (fault?.mishap === 'late') {
      await this.#points.sayLate()
      await this.#untilOver(client)
    }
    this.met = [...this.#points.met]
    const struck = fault === undefined || this.#points.strikes > 0
    return this.#points.outside(async () => [
      ...(struck ? [] : ['never came there']),
      ...(await this.#judge()),
    ])
  }

  async #untilOver(client: Client): Promise<void> {
    for (let round = 0; round < mostRounds; round++) {
      await this.#round(client)
      if (await this.#isOver()) return
      advanceSeconds(5)
    }
  }

  async #round(client: Client): Promise<void> {
    this.#collect()
    await this.#messages.deliverDue(async (work) => this.#step(work))
    for (const one of this.#leaders) if (one.isBusy) await this.#step(async () => one.act())
    if (this.#cancels && !this.#hasCanceled && this.#renderers.length > 1) {
      await this.#step(async () => this.#cancel(client))
    }
    for (const one of this.#renderers) if (one.isBusy) await this.#step(async () => one.act())
    for (const object of this.#objects) {
      await object.alarmAt()
      await object.ring(async (work) => this.#step(work))
    }
    if (this.#points.struck && Date.now() - this.#sweptAt >= 60_000) {
      this.#sweptAt = Date.now()
      await this.#step(tick)
    }
    this.#collect()
  }

  async #cancel(client: Client): Promise<void> {
    const path = `/v1/videos/${this.#job?.videoId}/cancel`
    const answer = await this.#points.say('says: cancel', async () => client.post(path))
    this.#hasCanceled = answer?.status === 200
  }

  get #objects(): LivingObject[] {
    return [...(this.#job ? [this.#job.object] : []), this.#slots]
  }

  async #isOver(): Promise<boolean> {
    const isBusy = [...this.#leaders, ...this.#renderers].some((one) => one.isBusy)
    if (isBusy || !this.#messages.isEmpty) return false
    const row = await this.#points.outside(async () => videoRow(this.#job?.videoId ?? ''))
    return row !== undefined && isTerminal(row.status)
  }

  async #step(work: () => Promise<void>): Promise<boolean> {
    await despiteFaults(work)
    for (const object of this.#objects) await object.settle()
    if (!this.#points.dead) return true
    for (const object of this.#objects) await object.die()
    if (this.#points.isBlackout) {
      this.#messages.forget()
      this.#standIns.queue.sent.length = 0
      // Media workers die with all others, and ask nobody whether they may go on.
      this.#renderers.length = 0
      for (const one of this.#leaders) one.isBusy = false
    }
    this.#points.dead = false
    return false
  }

  #collect(): void {
    for (const { body, delaySeconds } of this.#standIns.queue.sent.splice(0)) {
      this.#messages.add(body, delaySeconds)
    }
    this.#standIns.queue.deliveries.length = 0
  }

  /** What is wrong when all is over, and the sweep has had its ten minutes, or as many as it needs. */
  async #judge(): Promise<string[]> {
    const broken: string[] = []
    const { status } = (await videoRow(this.#job?.videoId ?? '')) ?? {}
    const wanted = this.#cancels ? ['canceled'] : ['succeeded']
    if (!wanted.includes(status ?? '')) broken.push(`ended ${status}`)
    if (this.#leaders.some(({ isRefused }) => isRefused)) broken.push('a part was never rendered')
    for (const { hand } of this.#renderers) {
      const { json, status: answered } = await hand.progress(9)
      if (answered === 200 && json['action'] !== 'stop') broken.push('a part goes on for nobody')
    }
    let left = await partKeys()
    for (let minute = 1; minute <= 11; minute++) {
      advanceSeconds(60)
      await tick()
      left = await partKeys()
      if (left.length === 0 && minute >= leastMinutes) break
    }
    if (left.length > 0) broken.push(`left ${left.join()}`)
    const lent = await slots().lent()
    if (lent > 0) broken.push(`${lent} slots are still lent`)
    for (let hour = 0; hour < 3; hour++) {
      advanceSeconds(3601)
      await this.#job?.object.wake()
    }
    const kept = (await this.#job?.object.memory()) ?? []
    if (kept.length > 0) broken.push(`its object keeps ${kept.join()}`)
    return broken
  }
}
