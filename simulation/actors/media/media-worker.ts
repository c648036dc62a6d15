import type { PartJob } from '../../../worker/contract/job/part-job.ts'
import { Life, within } from '../../engine/life.ts'
import { PlainAnswer } from '../../engine/plain-response.ts'
import type { Exported } from '../../engine/program.ts'
import type { World } from '../../engine/world.ts'
import type { Host, Sent } from '../../platform/network.ts'
import { startPart } from './film-parts.ts'
import { startWork, type MediaParts, type Pace } from './media-work.ts'
import { foreseenOf } from './told-of-work.ts'
import type { ToldEnding } from './work-ending.ts'

/** What a media worker is started with. */
export type MediaOptions = {
  name: string
  token: string
  slots: number
  /** Jobs that may fetch beside those in slots. */
  fetching: number
  graceMs: number
  /** Told when a whole job is offered to it. */
  onOffer?: (claim: string, worker: string) => void
  /** Told when it is to cancel a whole attempt. */
  onCancel?: (claim: string) => void
  /** Told when the part of a film is offered to it. */
  onPart?: (part: PartJob, offer: PartOffer) => void
  /** Told when a job has begun. */
  onWork: (claim: string, worker: string, isAlive: () => boolean) => void
  onWorkOver: (claim: string, how: string, told?: ToldEnding) => void
  /** A file was the end of it. */
  onDeath: (worker: MediaWorker) => void
  pace?: Pace
}

/** `isLead`: whether the worker has the film itself. */
export type PartOffer = { worker: string; isLead: boolean; isTaken: boolean }

/** Longer than any lease. */
const silentMs = 900_000

/**
 * A media worker: a process that takes jobs and reports them with the code of the real one. What is simulated is the work
 * itself, which takes time, makes outputs, and fails now and then.
 */
export class MediaWorker {
  readonly name: string
  readonly #world: World
  readonly #parts: MediaParts
  readonly #options: MediaOptions
  #life: Life
  #slots: InstanceType<MediaParts['JobSlots']>
  #isStopping = false
  #refusesUntil = 0
  #starts = 0
  /** The attempts of which it has heard that they are canceled. */
  readonly #canceled = new Set<string>()
  /** The attempts that it has begun. */
  readonly #begun = new Set<string>()
  /** The status with which it answers what it is asked about films with these names. */
  readonly answers = new Map<string, number>()
  /** How long each answer to an offer or a question about a plan takes. */
  answersAfterMs = 0

  constructor(world: World, program: Exported, options: MediaOptions) {
    this.#world = world
    // The program exports these under these names.
    this.#parts = program as unknown as MediaParts
    this.#options = options
    this.name = options.name
    this.#life = new Life(`media ${options.name}`)
    this.#slots = this.#begin()
  }

  get life(): Life {
    return this.#life
  }

  get isUp(): boolean {
    return !this.#life.isDead && !this.#life.isFrozen && !this.#isStopping && !this.refuses
  }

  get slots(): number {
    return this.#options.slots
  }

  get free(): number {
    return this.#slots.count - this.#slots.running
  }

  get refuses(): boolean {
    return this.#world.now < this.#refusesUntil
  }

  /** Starts the process once more, as a supervisor does. */
  restart(): void {
    this.#life.end()
    this.#life = new Life(`media ${this.name}`)
    this.#slots = this.#begin()
    this.#isStopping = false
    this.#world.history.note(this.name, 'starts')
  }

  die(): void {
    this.#life.end()
  }

  freeze(ms: number): void {
    const life = this.#life
    life.freeze()
    this.#world.loop.in(ms, () => {
      life.thaw()
      this.#world.history.note(this.name, 'goes on')
    })
  }

  /** It has another version than the service for a while, and takes no job of it. */
  refuseFor(ms: number): void {
    this.#refusesUntil = this.#world.now + ms
  }

  /** SIGTERM: jobs that can end in time do, the others are handed back. */
  async shutDown(): Promise<void> {
    this.#isStopping = true
    const slots = this.#slots
    await this.#world
      .run(this.#life, `${this.name} shuts down`, async () =>
        slots.close('shutdown', this.#options.graceMs),
      )
      .catch(() => undefined)
  }

  readonly answer: Host = async (sent) => {
    const life = this.#life
    if (life.isDead) throw new TypeError('fetch failed')
    if (life.isFrozen) return 'never'
    const { pathname } = new URL(sent.url)
    return this.#world.run(
      life,
      `${this.name} ${pathname} ${sent.headers.get('x-asked') ?? ''}`,
      async () => this.#route(pathname, sent),
    )
  }

  async #route(path: string, sent: Sent): Promise<Response> {
    if (path === '/health') return PlainAnswer.json(this.#health())
    const { verifyMessage, signatureHeader, mediaJob, partJob, cancelRequest } = this.#parts
    const { text } = sent
    const signature = sent.headers.get(signatureHeader)
    if (!(await verifyMessage(this.#options.token, text, signature, this.#world.loop.wall))) {
      return PlainAnswer.json({ error: 'Unauthorized' }, { status: 401 })
    }
    if (path !== '/jobs/cancel' && this.answersAfterMs > 0)
      await this.#world.loop.pause(this.answersAfterMs)
    const [, strange] = [...this.answers].find(([film]) => text.includes(film)) ?? []
    if (strange !== undefined && path !== '/jobs/cancel')
      return PlainAnswer.json({ error: 'Strange' }, { status: strange })
    if (path === '/jobs') {
      if (this.refuses) return PlainAnswer.json({ error: 'ValidationError' }, { status: 400 })
      const sentJob = JSON.parse(text) as object
      const job = 'kind' in sentJob ? partJob.parse(sentJob) : mediaJob.parse(sentJob)
      if (!('kind' in job)) this.#options.onOffer?.(`${job.jobId}/${job.fence}`, this.name)
      const taken = this.#slots.offer(job) === 'accepted'
      if ('kind' in job) {
        const isLead = this.#begun.has(`${job.jobId}/${job.fence}`)
        this.#options.onPart?.(job, { worker: this.name, isLead, isTaken: taken })
      }
      const { faults, now } = this.#world
      if (taken && faults.strikes('request twice', `${this.name} ${job.jobId} ${now}`))
        this.#slots.offer(job)
      return new PlainAnswer(null, { status: taken ? 202 : 503 })
    }
    if (path === '/plans') {
      const job = mediaJob.parse(JSON.parse(text))
      return PlainAnswer.json(foreseenOf(this.#world, job, this.#engine))
    }
    const request = cancelRequest.parse(JSON.parse(text))
    const claim = `${request.jobId}/${request.fence}`
    if (!request.part) {
      this.#canceled.add(claim)
      this.#options.onCancel?.(claim)
    }
    const trace = await this.#slots.cancel(request)
    return PlainAnswer.json({ canceled: trace !== undefined, ...(trace && { trace }) })
  }

  /** One that shuts down begins nothing, and a cancel ends the attempt that it names. */
  #judge(claim: string, signal: AbortSignal): void {
    if (this.#slots.isClosed)
      this.#world.break(`${this.name} is to shut down, and begins with ${claim}`)
    signal.addEventListener('abort', () => {
      const { stopReason } = signal.reason as { stopReason?: string }
      if (stopReason === 'canceled' && !this.#canceled.has(claim))
        this.#world.break(`${this.name} cancels ${claim}, and was told of another attempt`)
    })
  }

  /** Of two versions of the media engine, which make the same films differently. */
  get #engine(): string {
    return this.#world.draw(`engine of ${this.name}`) < 0.8 ? 'engine 1' : 'engine 2'
  }

  #health() {
    const { count: slots, running, fetching, isClosed: stopping } = this.#slots
    const disk = { freeBytes: 1e11, reserveBytes: 1e9 }
    const engine = this.#engine
    return { status: 'ok', version: 1, slots, running, fetching, stopping, engine, disk }
  }

  #begin(): InstanceType<MediaParts['JobSlots']> {
    const { slots, fetching, onWork, onWorkOver, onDeath, pace } = this.#options
    const begin = `${this.name} starts ${++this.#starts}`
    return this.#world.runNow(this.#life, begin, () => {
      const parts = this.#parts
      const life = this.#life
      return new parts.JobSlots({ slots, fetching }, (job, hold) => {
        const claim = `${job.jobId}/${job.fence}`
        const isAlive = (): boolean => !life.isDead && !life.isFrozen
        const harm = { onSilence: () => this.freeze(silentMs), onDeath: () => onDeath(this) }
        if ('kind' in job) {
          const part = this.#world.work(life, `${this.name} makes part ${job.n} of ${claim}`)
          return within(part, () => startPart(this.#world, parts, { job, hold, isAlive, ...harm }))
        }
        this.#begun.add(claim)
        onWork(claim, this.name, isAlive)
        this.#judge(claim, hold.controller.signal)
        const work = this.#world.work(life, `${this.name} works on ${claim}`)
        return within(work, () =>
          startWork(this.#world, parts, {
            ...{ job, hold, pace, engine: this.#engine, ...harm },
            onOver: (how, told) => onWorkOver(claim, how, told),
          }),
        )
      })
    })
  }
}
