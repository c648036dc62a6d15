import type { World } from '../engine/world.ts'
import { sentOf } from '../platform/network.ts'
import { FileForm } from './file-form.ts'
import { serviceUrl, type Deployment } from '../platform/deployment.ts'

type Asking = {
  who: string
  method: string
  path: string
  body?: unknown
  /** A body that is not JSON. */
  bytes?: string
  /** The API key; empty if none is sent. */
  key: string
  /** Headers besides the usual ones, or in their place. */
  headers?: Record<string, string> | undefined
  idempotencyKey?: string | undefined
  /** The id of the last event of a stream that arrived. */
  lastEventId?: string | undefined
}
/** Far longer than some statements take, but shorter than the start of a container. */
const promptMs = 2_500
/** Longer than any lateness lasts. */
const undisturbedMs = 25 * 60_000

export type Answer = { status: number; text: string; headers: Headers }
/** Hears every answer, also one that is lost on its way. */
type Hearing = (asking: Asking, answer: Answer) => void

/** The connection between customers and the service, on which requests and answers are lost, late, or delivered twice. */
export class Exchange {
  readonly #world: World
  readonly #deployment: Deployment
  readonly #asked = new Map<string, number>()
  readonly #onAnswer: Hearing

  constructor(deployment: Deployment, onAnswer: Hearing = () => undefined) {
    this.#world = deployment.world
    this.#deployment = deployment
    this.#onAnswer = onAnswer
  }

  /** The answer before its body is complete, for a stream of events; undefined if none came. */
  async open(asking: Asking): Promise<Response | undefined> {
    const { loop, faults } = this.#world
    const key = this.#begin(asking)
    await loop.pause(5 + 40 * this.#world.draw(key))
    if (faults.strikes('request lost', key)) return undefined
    return this.#answered(asking, key)
  }

  /** The answer; undefined if none came. */
  async ask(asking: Asking): Promise<Answer | undefined> {
    const { loop, faults, history } = this.#world
    const key = this.#begin(asking)
    await loop.pause(5 + 40 * this.#world.draw(key))
    if (faults.strikes('request lost', key)) return undefined
    const answered = this.#deliver(asking, key)
    if (faults.strikes('request twice', key)) void this.#repeat(asking, key)
    const sentAt = this.#world.now
    const answer = await answered
    this.#judgePromptness(asking, sentAt)
    await loop.pause(5 + 40 * this.#world.draw(`${key} back`))
    const isLost = faults.strikes('answer lost', key)
    history.note(
      asking.who,
      `hears ${isLost ? 'nothing' : (answer?.status ?? 'a broken connection')}`,
    )
    return isLost ? undefined : answer
  }

  /** Unless something fails, the answer to a cancel does not wait for a container to start. */
  #judgePromptness({ path, who }: Asking, sentAt: number): void {
    const { now, faults } = this.#world
    const ms = now - sentAt
    if (!path.endsWith('/cancel') || ms < promptMs || faults.lastAt > sentAt - undisturbedMs) return
    this.#world.break(`${who} has waited ${ms} ms for the answer to ${path}`)
  }

  async #repeat(asking: Asking, key: string): Promise<void> {
    const { loop, faults } = this.#world
    await loop.pause(60_000 * faults.degree('request twice', key) ** 2)
    await this.#deliver(asking, `${key} again`)
  }

  /** Returns the name of the request. */
  #begin({ who, method, path }: Asking): string {
    const count = (this.#asked.get(who) ?? 0) + 1
    this.#asked.set(who, count)
    this.#world.history.note(who, `asks ${method} ${path}`)
    return `${who} asks ${count}`
  }

  async #deliver(asking: Asking, key: string): Promise<Answer | undefined> {
    const response = await this.#answered(asking, key)
    if (!response) return undefined
    const { status, headers } = response
    const answer = { status, text: await response.text(), headers }
    this.#onAnswer(asking, answer)
    return answer
  }

  async #answered(asking: Asking, key: string): Promise<Response | undefined> {
    const { method, path, body, bytes, idempotencyKey, lastEventId } = asking
    const text = bytes ?? textOf(body)
    const sent = sentOf(serviceUrl + path, {
      method,
      headers: {
        ...(asking.key === '' ? {} : { Authorization: `Bearer ${asking.key}` }),
        'Content-Type': bytes === undefined ? typeOf(body) : 'application/octet-stream',
        'x-asked': key,
        ...(text === undefined ? {} : { 'Content-Length': `${Buffer.byteLength(text)}` }),
        ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
        ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }),
        ...asking.headers,
      },
      ...(text === undefined ? {} : { body: text }),
    })
    const pieceMs = body instanceof FileForm ? body.pieceMs : 0
    try {
      return await this.#deployment.answer(sent, pieceMs)
    } catch {
      return undefined
    }
  }
}

function textOf(body: unknown): string | undefined {
  if (body instanceof FileForm) return body.text
  return body === undefined ? undefined : JSON.stringify(body)
}

function typeOf(body: unknown): string {
  return body instanceof FileForm ? body.type : 'application/json'
}
