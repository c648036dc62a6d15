import type { World } from '../engine/world.ts'
import { sentOf } from '../platform/network.ts'
import { serviceUrl, type Deployment } from '../platform/deployment.ts'

export type Asking = {
  who: string
  method: string
  path: string
  body?: unknown
  /** Instead of a body in JSON. */
  bytes?: string
  key: string
  idempotencyKey?: string | undefined
}
export type Answer = { status: number; text: string; headers: Headers }

/** The way of customers to the service, on which requests and answers are lost, late, or delivered twice. */
export class Exchange {
  readonly #world: World
  readonly #deployment: Deployment
  readonly #asked = new Map<string, number>()

  constructor(deployment: Deployment) {
    this.#world = deployment.world
    this.#deployment = deployment
  }

  /** Undefined if no answer came. */
  async ask(asking: Asking): Promise<Answer | undefined> {
    const { loop, faults, history } = this.#world
    const count = (this.#asked.get(asking.who) ?? 0) + 1
    this.#asked.set(asking.who, count)
    const key = `${asking.who} asks ${count}`
    history.note(asking.who, `asks ${asking.method} ${asking.path}`)
    await loop.pause(5 + 40 * this.#world.draw(key))
    if (faults.strikes('request lost', key)) return undefined
    const answered = this.#deliver(asking, key)
    if (faults.strikes('request twice', key)) void this.#repeat(asking, key)
    const answer = await answered
    await loop.pause(5 + 40 * this.#world.draw(`${key} back`))
    const isLost = faults.strikes('answer lost', key)
    history.note(
      asking.who,
      `hears ${isLost ? 'nothing' : (answer?.status ?? 'a broken connection')}`,
    )
    return isLost ? undefined : answer
  }

  async #repeat(asking: Asking, key: string): Promise<void> {
    const { loop, faults } = this.#world
    await loop.pause(60_000 * faults.degree('request twice', key) ** 2)
    await this.#deliver(asking, `${key} again`)
  }

  async #deliver(asking: Asking, key: string): Promise<Answer | undefined> {
    const { method, path, body, bytes, idempotencyKey } = asking
    const text = bytes ?? (body === undefined ? undefined : JSON.stringify(body))
    const sent = sentOf(serviceUrl + path, {
      method,
      headers: {
        Authorization: `Bearer ${asking.key}`,
        'Content-Type': bytes === undefined ? 'application/json' : 'application/octet-stream',
        'x-asked': key,
        ...(text === undefined ? {} : { 'Content-Length': `${text.length}` }),
        ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
      },
      ...(text === undefined ? {} : { body: text }),
    })
    try {
      const response = await this.#deployment.answer(sent)
      return { status: response.status, text: await response.text(), headers: response.headers }
    } catch {
      return undefined
    }
  }
}
