import type { World } from '../engine/world.ts'
import { serviceUrl, type Deployment } from '../platform/deployment.ts'
import { sentOf } from '../platform/network.ts'

export type Client = { name: string; key: string; hook: string }

const networkMs = 25
const downloads = 2
/** Clients are told by webhooks, and also poll now and then. */
const statusEverySeconds = 20
const longestMs = 6 * 3_600_000

/** The clients of a busy day, and the answers that they got. */
export class Clients {
  created = 0
  ended = 0
  /** Answers that no client may get. */
  readonly odd: string[] = []
  readonly #world: World
  readonly #deployment: Deployment

  constructor(world: World, deployment: Deployment) {
    this.#world = world
    this.#deployment = deployment
  }

  /** Handles one video: sends it, polls until it has ended, and downloads it. */
  async send(client: Client, number: number): Promise<void> {
    const body = {
      fileUrl: `https://sources.example.com/${number}.mp4`,
      videoName: `video ${number}`,
      webhookUrl: client.hook,
    }
    const answer = await this.#ask(client, 'POST', '/v1/videos', body)
    if (answer.status !== 202) return this.#strange(`a create got ${answer.status}`)
    this.created++
    const { videoId } = (await answer.json()) as { videoId: string }
    const record = await this.#untilEnd(client, videoId)
    this.ended++
    const { status, finalVideoUrl } = record
    if (status !== 'succeeded') return this.#strange(`a video is ${String(status)}`)
    const { pathname, search } = new URL(String(finalVideoUrl))
    for (let i = 0; i < downloads; i++) {
      const file = await this.#ask(client, 'GET', pathname + search)
      if (file.status !== 200) this.#strange(`a download got ${file.status}`)
      await file.body?.cancel()
    }
  }

  async #untilEnd(client: Client, videoId: string): Promise<Record<string, unknown>> {
    const { loop } = this.#world
    const until = loop.now + longestMs
    while (loop.now < until) {
      await loop.pause(statusEverySeconds * 1000)
      const answer = await this.#ask(client, 'GET', `/v1/videos/${videoId}`)
      if (answer.status !== 200) {
        this.#strange(`a read got ${answer.status}`)
        continue
      }
      const record = (await answer.json()) as Record<string, unknown>
      if (record['status'] !== 'queued' && record['status'] !== 'running') return record
    }
    return { status: 'never ended' }
  }

  async #ask(client: Client, method: string, path: string, body?: unknown): Promise<Response> {
    const { loop } = this.#world
    await loop.pause(networkMs)
    const headers = {
      Authorization: `Bearer ${client.key}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    }
    const text = body === undefined ? {} : { body: JSON.stringify(body) }
    const sent = sentOf(`${serviceUrl}${path}`, { method, headers, ...text })
    const answer = await this.#deployment.answer(sent)
    await loop.pause(networkMs)
    return answer
  }

  #strange(what: string): void {
    this.odd.push(what)
  }
}
