import type { World } from '../engine/world.ts'
import type { Answer, Exchange } from './exchange.ts'
import { filmHead as head } from './file-form.ts'

type Opened = { uploadId: string; parts: { partNumber: number; url: string }[]; partSize: number }
type Of = { name: string; key: string }

/** A step may fail nearly always for more than an hour. */
const mostRounds = 120

/** Sends a file in parts, as a client does that sometimes gets no answer: a part that may not have arrived is sent again. */
export class DirectUpload {
  readonly #world: World
  readonly #exchange: Exchange
  readonly #of: Of
  uploadId: string | undefined
  #parts: Opened['parts'] = []

  constructor(parts: { world: World; exchange: Exchange }, of: Of) {
    this.#world = parts.world
    this.#exchange = parts.exchange
    this.#of = of
  }

  /**
   * The id of the upload once it is ready; undefined if its customer has given it up. An upload that the bucket has lost can
   * never be completed, so its customer begins again.
   */
  async send(): Promise<string | undefined> {
    for (;;) {
      const sent = await this.#sendOnce()
      if (sent === 'lost') continue
      // Some customers forget the upload, and it expires.
      return this.#drawn('forgets') < 0.1 ? undefined : sent
    }
  }

  async #sendOnce(): Promise<string | undefined> {
    const bytes = head + this.#of.name.padEnd(100 + Math.floor(300 * this.#drawn('size')), '.')
    const body = { fileName: `${this.#of.name}.mp4`, sizeInBytes: bytes.length }
    const opened = await this.#until(
      async () => this.#ask('POST', '/v1/uploads', body),
      (answer) => answer.status === 201,
    )
    if (!opened) return this.#broken('an upload was never opened')
    const { uploadId, parts, partSize } = JSON.parse(opened.text) as Opened
    this.uploadId = uploadId
    this.#parts = parts
    this.#world.history.note(this.#of.name, `has the upload ${uploadId}`)
    // Some customers go away, and their uploads expire.
    if (this.#drawn('leaves') < 0.15) return undefined
    for (const { partNumber, url } of parts) {
      await this.#sendPart(url, bytes.slice((partNumber - 1) * partSize, partNumber * partSize))
    }
    if (this.#drawn('regrets') < 0.1) return this.#regret()
    return this.#complete(uploadId, bytes)
  }

  /** Deletes the upload while another request of the same customer completes it. */
  async #regret(): Promise<undefined> {
    const path = `/v1/uploads/${this.uploadId ?? ''}`
    void this.#ask('POST', `${path}/complete`, {})
    await this.#world.loop.pause(300 * this.#drawn('regret'))
    await this.#until(
      async () => this.#ask('DELETE', path),
      ({ status }) => status === 204 || status === 404,
    )
    return undefined
  }

  async #sendPart(url: string, bytes: string): Promise<void> {
    const { pathname } = new URL(url)
    for (let tries = 0; tries < 8; tries++) {
      const { name, key } = this.#of
      const answer = await this.#exchange.ask({
        who: name,
        method: 'PUT',
        path: pathname,
        key,
        bytes,
      })
      if (answer && answer.status < 500 && answer.status !== 429) return
      await this.#pause(tries)
    }
  }

  /** Completes the upload; its answer names missing parts, with new addresses. */
  async #complete(uploadId: string, bytes: string): Promise<string | undefined> {
    const path = `/v1/uploads/${uploadId}`
    const { faults } = this.#world
    const begunAt = this.#world.now
    for (let round = 0; round < mostRounds; round++) {
      const answer = await this.#ask('POST', `${path}/complete`, {})
      if (answer?.status === 200) return uploadId
      if (round > 3 && faults.lastOf('upload lost', 'upload torn') >= begunAt) return 'lost'
      if (answer?.status === 409) await this.#sendMissing(path, bytes)
      else if (answer && answer.status < 500 && answer.status !== 429) {
        return this.#broken(`a completion was answered ${answer.status} ${answer.text}`)
      }
      await this.#pause(round)
    }
    return this.#broken('an upload was never completed')
  }

  async #sendMissing(path: string, bytes: string): Promise<void> {
    const answer = await this.#ask('GET', path)
    if (answer?.status !== 200) return
    const { parts, partSize } = JSON.parse(answer.text) as Opened
    // If none is missing, one of two that came for the same number is not the one that the bucket has.
    for (const { partNumber, url } of parts.length > 0 ? parts : this.#parts) {
      await this.#sendPart(url, bytes.slice((partNumber - 1) * partSize, partNumber * partSize))
    }
  }

  async #until(
    ask: () => Promise<Answer | undefined>,
    isGood: (answer: Answer) => boolean,
  ): Promise<Answer | undefined> {
    for (let tries = 0; tries < mostRounds; tries++) {
      const answer = await ask()
      if (answer && isGood(answer)) return answer
      await this.#pause(tries)
    }
    return undefined
  }

  async #pause(tries: number): Promise<void> {
    const factor = 0.5 + this.#drawn(`pause ${tries}`)
    await this.#world.loop.pause(1_000 * 2 ** Math.min(tries, 6) * factor)
  }

  async #ask(method: string, path: string, body?: unknown): Promise<Answer | undefined> {
    const { name, key } = this.#of
    return this.#exchange.ask({ who: name, method, path, key, body })
  }

  #broken(promise: string): undefined {
    this.#world.break(`${this.#of.name}: ${promise}`)
  }

  #drawn(what: string): number {
    return this.#world.draw(`${this.#of.name} upload ${what}`)
  }
}
