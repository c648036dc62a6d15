import { cloned } from '../engine/cloned.ts'
import type { Ways, World } from '../engine/world.ts'
import { countUse, holdLimit } from './limits.ts'

type Kept = { id: string; body: unknown; attempts: number; at: number }
type Taken = { messages: readonly Kept[]; queue: string }

/** The messages of a batch that come again, and after how many seconds. */
type Consumed = Map<string, number>
export type Consume = (taken: Taken) => Promise<Consumed>

type QueueOptions = {
  name: string
  batch: number
  retryDelaySeconds: number
  most: number
  /** Whether this message never comes. */
  isLost?: ((body: unknown) => boolean) | undefined
  /** Whether nothing is taken. */
  isFull?: (() => boolean) | undefined
  /** Called with each message that is done. */
  onDone?: ((body: unknown) => void) | undefined
}

/** Longer than any lateness lasts. */
const undisturbedMs = 25 * 60_000
/** Longer than the object of a job stays silent. */
const silentMs = 3 * 3_600_000

const ways: Ways = {
  fails: 'queue refuses',
  unanswered: 'queue refuses',
  late: 'queue answers late',
  changes: true,
  ms: 10,
  error: () => new Error('Queue send failed: Internal Server Error'),
}

/** A queue that delivers at least once, sometimes late, and finally into the dead-letter queue. */
export class Queue {
  readonly #world: World
  readonly #options: QueueOptions
  readonly #consume: Consume
  readonly #dead: Queue | undefined
  readonly #ready: Kept[] = []
  #isTaking = false
  #count = 0
  /** How many messages wait or are being worked on. */
  size = 0

  constructor(world: World, options: QueueOptions, consume: Consume, dead?: Queue) {
    this.#world = world
    this.#options = options
    this.#consume = consume
    this.#dead = dead
  }

  /** The service's `env.JOBS`. */
  readonly binding = {
    send: async (body: unknown, options: { delaySeconds?: number } = {}) =>
      this.#send([{ body, ...options }]),
    sendBatch: async (messages: Iterable<{ body: unknown; delaySeconds?: number }>) =>
      this.#send([...messages]),
  }

  async #send(messages: readonly { body: unknown; delaySeconds?: number }[]): Promise<void> {
    const tell = (broken: string): void => this.#world.break(broken)
    countUse('subrequests', tell)
    holdLimit('batchMessages', messages.length, tell)
    for (const { body, delaySeconds = 0 } of messages) {
      holdLimit('messageBytes', JSON.stringify(body).length, tell)
      holdLimit('delaySeconds', delaySeconds, tell)
    }
    const said = messages.map(({ body }) => JSON.stringify(body)).join()
    await this.#world.ask(
      `${this.#options.name} send ${said}`,
      () => {
        this.#refuseIfFull()
        for (const { body, delaySeconds = 0 } of messages) this.#add(cloned(body), delaySeconds)
      },
      ways,
    )
  }

  #refuseIfFull(): void {
    if (!this.#options.isFull?.()) return
    this.#world.faults.noteHarm('queue refuses')
    throw new Error('Queue send failed: Internal Server Error')
  }

  #add(body: unknown, delaySeconds: number): void {
    if (this.#options.isLost?.(body))
      return this.#world.history.note(this.#options.name, `loses ${JSON.stringify(body)}`)
    const key = `${this.#options.name} ${JSON.stringify(body)} ${++this.#count}`
    const { faults } = this.#world
    const message = { id: key, body, attempts: 0, at: this.#world.now }
    if (this.#dead && faults.strikes('message dead', key)) {
      this.#dead.#add(body, 0)
      return
    }
    const isLate = faults.strikes('message late', key)
    const lateMs = isLate ? faults.degree('message late', key) ** 3 * 900_000 : 0
    this.#later(message, delaySeconds * 1000 + lateMs + 20 + 80 * this.#world.draw(key))
    if (!faults.strikes('message twice', key)) return
    const againMs = faults.degree('message twice', key) ** 3 * 600_000
    this.#later({ ...message, id: `${key} again` }, delaySeconds * 1000 + 20 + againMs)
  }

  #later(message: Kept, ms: number): void {
    this.size++
    this.#world.loop.in(ms, () => {
      this.#ready.push(message)
      this.#take()
    })
  }

  /** Starts a consumer beside the others; its batch is whatever the queue holds at that moment. */
  #take(): void {
    if (this.#isTaking || this.#ready.length === 0) return
    this.#isTaking = true
    this.#world.loop.in(1, () => {
      this.#isTaking = false
      const messages = this.#ready.splice(0, this.#options.batch)
      this.#take()
      void this.#deliver(messages)
    })
  }

  get #isCalm(): boolean {
    const { faults, now, rolledOutAt } = this.#world
    const lastAt = Math.max(faults.lastAt, rolledOutAt)
    return lastAt < now - undisturbedMs && faults.lastOf('object silent') < now - silentMs
  }

  async #deliver(messages: readonly Kept[]): Promise<void> {
    const { name, most, retryDelaySeconds, onDone } = this.#options
    for (const message of messages) message.attempts++
    let again: Consumed
    try {
      again = await this.#consume({ messages, queue: name })
    } catch {
      again = new Map(messages.map(({ id }) => [id, retryDelaySeconds]))
    }
    for (const message of messages) {
      this.size--
      const delaySeconds = again.get(message.id)
      if (delaySeconds !== undefined && this.#isCalm)
        this.#world.break(`${message.id} is to come again, and nothing has failed`)
      if (delaySeconds === undefined) onDone?.(message.body)
      else if (message.attempts <= most) this.#later(message, delaySeconds * 1000)
      else if (this.#dead) this.#dead.#add(message.body, 0)
    }
  }
}
