import type { World } from '../engine/world.ts'
import type { Account } from './account.ts'
import type { Answer, Exchange } from './exchange.ts'

type Body = Record<string, unknown>
type Asked = readonly [method: string, path: string, body?: unknown, idempotencyKey?: string]

type Made = { videoId?: string; jobId?: string; batchId?: string; videoIds?: string[] }

const fileUrl = 'https://sources.example.com/plain.mp4'

/** How much of an answer is worth printing. */
const toldLength = 200

/** Sends one request after another while nothing fails, and checks each answer. */
export class PlainSession {
  readonly #world: World
  readonly #exchange: Exchange
  readonly #account: Account

  constructor({ world, exchange }: { world: World; exchange: Exchange }, account: Account) {
    this.#world = world
    this.#exchange = exchange
    this.#account = account
  }

  /** `bytes`: in place of a body in JSON. */
  async ask(
    [method, path, body, idempotencyKey]: Asked,
    headers?: Record<string, string>,
    bytes?: string,
  ): Promise<Answer | undefined> {
    const { name, key } = this.#account
    const who = `${name} plainly`
    const sent = bytes === undefined ? { body } : { bytes }
    const asking = { who, method, path, key, idempotencyKey, headers, ...sent }
    const answer = await this.#exchange.ask(asking)
    if (answer?.status === 202) this.#noteMade(who, JSON.parse(answer.text) as Made)
    return answer
  }

  /** What belongs together is told together in a diary. */
  #noteMade(who: string, { videoId, jobId, batchId, videoIds = [] }: Made): void {
    const { history } = this.#world
    if (videoId && jobId) history.note(who, `has ${videoId}, job ${jobId}`)
    if (batchId) history.note(who, `has ${batchId} of ${videoIds.join()}`)
  }

  async expect(status: number, asked: Asked): Promise<Body> {
    const { name } = this.#account
    const [method, path] = asked
    const answer = await this.ask(asked)
    if (answer?.status === status) return status === 204 ? {} : (JSON.parse(answer.text) as Body)
    const got = answer ? `${answer.status} ${answer.text.slice(0, toldLength)}` : 'nothing'
    this.#world.break(`${name}: ${method} ${path} was answered ${got}, not ${status}`)
    throw new Error(`${method} ${path} was not answered ${status}`)
  }

  same(what: string, read: unknown, expected: unknown): void {
    const [one = '', other = ''] = [read, expected].map((value) => JSON.stringify(value))
    if (one === other) return
    // The beginnings of long lists are alike.
    const from = Math.max(0, [...one].findIndex((sign, i) => sign !== other[i]) - 20)
    const [told, not] = [one, other].map((text) => text.slice(from, from + toldLength))
    this.#world.break(`${this.#account.name}: ${what} is ${told}, not ${not}`)
  }

  /** All pages of a list, with few entries each. */
  async list(path: string, limit = 7): Promise<Body[]> {
    const all: Body[] = []
    const join = path.includes('?') ? '&' : '?'
    for (let cursor: string | null = ''; cursor !== null;) {
      const more: string = cursor === '' ? '' : `&cursor=${cursor}`
      const page = await this.expect(200, ['GET', `${path}${join}limit=${limit}${more}`])
      const data = page['data'] as Body[]
      all.push(...data)
      const next = page['nextCursor'] as string | null
      // Some lists have no pages. Where there is one, each has something, and no more than was wanted.
      const isPage = cursor !== '' || next !== null
      const isGood = !isPage || (data.length > 0 && data.length <= limit)
      this.same(`a page of ${path} with ${data.length} of ${limit} entries is good`, isGood, true)
      cursor = next
    }
    return all
  }

  /** Creates a video that is canceled at once. */
  async sendAndCancel(): Promise<string> {
    const made = await this.expect(202, ['POST', '/v1/videos', { fileUrl }])
    const videoId = String(made['videoId'])
    await this.expect(200, ['POST', `/v1/videos/${videoId}/cancel`, {}])
    return videoId
  }

  /** The same account with another key. */
  with(key: string): PlainSession {
    const parts = { world: this.#world, exchange: this.#exchange }
    return new PlainSession(parts, { ...this.#account, key })
  }

  async pause(ms: number): Promise<void> {
    await this.#world.loop.pause(ms)
  }
}
