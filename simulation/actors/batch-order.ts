import type { World } from '../engine/world.ts'
import type { Account } from './account.ts'
import { batchItems, type BatchWish } from './batch-items.ts'
import type { Order } from './customer.ts'
import type { Answer, Exchange } from './exchange.ts'

type Parts = {
  world: World
  exchange: Exchange
  orders: readonly Order[]
  /** Called when a cancel was confirmed. */
  onCancel: (batchId: string) => void
}
type Record = { status: string; total: number; counts: { [state: string]: number } }

const mostTries = 100
const mostPolls = 2_000

/** One customer's batch: what was asked for, and what was promised. */
export class BatchOrder {
  readonly name: string
  readonly account: Account
  readonly #world: World
  readonly #exchange: Exchange
  readonly #onCancel: Parts['onCancel']
  readonly #orders: readonly Order[]
  batchId: string | undefined
  wasCanceled = false
  isOver = false
  #accepted: string | undefined
  /** The record as it was when the batch ended. */
  #ended: Record | undefined

  constructor(
    { world, exchange, onCancel, orders }: Parts,
    { name, account }: { name: string; account: Account },
  ) {
    this.#world = world
    this.#exchange = exchange
    this.#onCancel = onCancel
    this.#orders = orders
    this.name = name
    this.account = account
  }

  async live(): Promise<void> {
    const parts = { world: this.#world, exchange: this.#exchange, orders: this.#orders }
    const wish = await batchItems(parts, { name: this.name, account: this.account })
    wish.interfere()
    // Some customers send it twice at once.
    if (this.#drawn('at once') < 0.3) void this.#create(wish)
    if (await this.#create(wish)) {
      if (this.#drawn('repeats') < 0.3) void this.#create(wish)
      if (this.#drawn('cancels') < 0.4) await this.#cancel()
      await this.#untilEnd()
    }
    this.isOver = true
  }

  /** Reads the record again long after its end, which is final. */
  async readAgain(): Promise<void> {
    const answer = await this.#read()
    if (!this.#ended || answer?.status !== 200) return
    const [one, other] = [this.#ended, recordIn(answer)].map((record) => JSON.stringify(record))
    if (one !== other) this.#world.break(`${this.name} ended as ${one}, and is read as ${other}`)
    await this.#readDeleted(answer)
  }

  /** What is told of a video is told of it also when it has left the database, until it is deleted. */
  async #readDeleted({ text }: Answer): Promise<void> {
    const { videos } = JSON.parse(text) as { videos: { videoId: string; status: string }[] }
    for (const { videoId, status } of videos) {
      if (status !== 'deleted') continue
      const answer = await this.#ask('GET', `/v1/videos/${videoId}`)
      if (answer?.status === 200)
        this.#world.break(`${this.name} tells that ${videoId} was deleted, and it is there`)
    }
  }

  get #path(): string {
    return `/v1/batches/${this.batchId ?? ''}`
  }

  async #create({ body, mayBeRefused }: BatchWish): Promise<boolean> {
    for (let tries = 0; tries < mostTries; tries++) {
      const answer = await this.#ask('POST', '/v1/batches', body, this.#token)
      if (answer?.status === 202) {
        this.#note(answer.text)
        return true
      }
      if (
        mayBeRefused &&
        answer &&
        /no longer kept|There is no |not found|already used/.test(answer.text)
      )
        return false
      if (answer && answer.status < 500 && ![402, 409, 429].includes(answer.status)) {
        this.#world.break(`${this.name}: was answered ${answer.status} ${answer.text}`)
        return false
      }
      await this.#pause(tries)
    }
    this.#world.break(`${this.name}: was never answered`)
    return false
  }

  #note(text: string): void {
    if (this.#accepted !== undefined && this.#accepted !== text) {
      this.#world.break(`${this.name}: one Idempotency-Key got two answers`)
    }
    this.#accepted = text
    this.batchId = (JSON.parse(text) as { batchId: string }).batchId
    this.#world.history.note(this.name, `has ${this.batchId}`)
  }

  async #cancel(): Promise<void> {
    await this.#world.loop.pause(90_000 * this.#drawn('patience') ** 2)
    for (let tries = 0; tries < 30; tries++) {
      const answer = await this.#ask('POST', `${this.#path}/cancel`, {})
      if (answer?.status === 200) {
        this.wasCanceled = true
        this.#onCancel(this.batchId ?? '')
      }
      if (answer && answer.status < 500 && answer.status !== 429) return
      await this.#pause(tries)
    }
  }

  async #untilEnd(): Promise<void> {
    for (let polls = 0; polls < mostPolls; polls++) {
      await this.#world.loop.pause(polls < 5 ? 20_000 : 240_000)
      const answer = await this.#read()
      if (answer?.status === 404) return this.#world.break(`${this.name} is not found`)
      if (answer?.status !== 200) continue
      const record = recordIn(answer)
      const { queued = 0, running = 0 } = record.counts
      const sum = Object.values(record.counts).reduce((all, n) => all + n, 0)
      if (sum !== record.total) {
        this.#world.break(`${this.name} has ${record.total} videos, and counts ${sum}`)
      }
      if (record.status !== 'ended') continue
      if (queued + running > 0) this.#world.break(`${this.name} has ended with videos to be made`)
      const { canceledAt } = JSON.parse(answer.text) as { canceledAt?: string }
      if (this.wasCanceled && canceledAt === undefined) {
        this.#world.break(`${this.name} was canceled, and its record does not say so`)
      }
      this.#ended = record
      return
    }
  }

  async #read(): Promise<Answer | undefined> {
    return this.#ask('GET', this.#path)
  }

  get #token(): string {
    return this.name.replaceAll(' ', '-')
  }

  async #pause(tries: number): Promise<void> {
    const factor = 0.5 + this.#drawn(`pause ${tries}`)
    await this.#world.loop.pause(1_000 * 2 ** Math.min(tries, 6) * factor)
  }

  #drawn(what: string): number {
    return this.#world.draw(`${this.name} ${what}`)
  }

  async #ask(method: string, path: string, body?: unknown, idempotencyKey?: string) {
    const { key } = this.account
    return this.#exchange.ask({ who: this.name, method, path, body, key, idempotencyKey })
  }
}

function recordIn({ text }: Answer): Record {
  const { status, total, counts } = JSON.parse(text) as Record
  return { status, total, counts }
}
