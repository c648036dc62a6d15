import type { World } from '../engine/world.ts'
import type { Account } from './account.ts'
import type { Exchange } from './exchange.ts'

type Body = Record<string, unknown>
export type Asked = readonly [method: string, path: string, body?: unknown, idempotencyKey?: string]

/** One request after another while nothing fails, with the answer that each has to get. */
export class PlainSession {
  readonly #world: World
  readonly #exchange: Exchange
  readonly #account: Account

  constructor({ world, exchange }: { world: World; exchange: Exchange }, account: Account) {
    this.#world = world
    this.#exchange = exchange
    this.#account = account
  }

  async expect(status: number, [method, path, body, idempotencyKey]: Asked): Promise<Body> {
    const { name, key } = this.#account
    const asked = { who: `${name} plainly`, method, path, key, body, idempotencyKey }
    const answer = await this.#exchange.ask(asked)
    if (answer?.status === status) return status === 204 ? {} : (JSON.parse(answer.text) as Body)
    const got = answer ? `${answer.status} ${answer.text}` : 'nothing'
    this.#world.break(`${name}: ${method} ${path} was answered ${got}, not ${status}`)
    throw new Error(`${method} ${path} was not answered ${status}`)
  }

  same(what: string, read: unknown, expected: unknown): void {
    const [one, other] = [read, expected].map((value) => JSON.stringify(value))
    if (one !== other) this.#world.break(`${this.#account.name}: ${what} is ${one}, not ${other}`)
  }

  /** All pages of a list, with few entries each. */
  async list(path: string): Promise<Body[]> {
    const all: Body[] = []
    const join = path.includes('?') ? '&' : '?'
    for (let cursor: string | null = ''; cursor !== null;) {
      const more: string = cursor === '' ? '' : `&cursor=${cursor}`
      const page = await this.expect(200, ['GET', `${path}${join}limit=7${more}`])
      all.push(...(page['data'] as Body[]))
      cursor = page['nextCursor'] as string | null
    }
    return all
  }

  async pause(ms: number): Promise<void> {
    await this.#world.loop.pause(ms)
  }
}
