import { bindings, service } from '../bindings.ts'
import type { Client } from '../client.ts'

type VideoEvent = { event: string; id: string | undefined; data: Record<string, unknown> }

/** A client that follows a video and reads its events one after another. */
export class EventReader {
  readonly response: Response
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  readonly #decoder = new TextDecoder()
  #unread = ''

  constructor(response: Response) {
    if (!response.body) throw new Error('an answer without a body')
    this.response = response
    this.#reader = (response.body as ReadableStream<Uint8Array>).getReader()
  }

  static async open(client: Client, videoId: string): Promise<EventReader> {
    const url = new URL(`/v1/videos/${videoId}/events`, bindings.BASE_URL)
    const headers = { Authorization: `Bearer ${client.apiKey}` }
    return new EventReader(await service.fetch(url.href, { headers }))
  }

  /** The next block of lines, including comments; undefined once the connection is closed. */
  async block(): Promise<string | undefined> {
    while (!this.#unread.includes('\n\n')) {
      const { done, value } = await this.#reader.read()
      if (done) return undefined
      this.#unread += this.#decoder.decode(value, { stream: true })
    }
    const [block = '', ...rest] = this.#unread.split('\n\n')
    this.#unread = rest.join('\n\n')
    return block
  }

  async next(): Promise<VideoEvent | undefined> {
    for (let block = await this.block(); block !== undefined; block = await this.block()) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
      const event = field('event')
      const data = field('data') ?? ''
      if (event) return { event, id: field('id'), data: JSON.parse(data) as VideoEvent['data'] }
    }
    return undefined
  }

  async leave(): Promise<void> {
    await this.#reader.cancel()
  }
}
