import type { Transcript } from '../api-types.ts'
import { pathPart, type CallOptions, type Transport } from '../http/transport.ts'

/** What was said in videos that were made with `enableTranscription`. */
export class Transcripts {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** The text and its language, and links to the files. */
  async get(videoId: string, options?: CallOptions): Promise<Transcript> {
    return this.#transport.json<Transcript>({ method: 'GET', path: addressOf(videoId) }, options)
  }

  /** The same with `segments`: what is said when, word by word if that is known. */
  async segments(videoId: string, options?: CallOptions): Promise<Transcript> {
    const call = { method: 'GET', path: addressOf(videoId), query: { format: 'json' } } as const
    return this.#transport.json<Transcript>(call, options)
  }

  /** The content of a file of captions, or of the plain text. */
  async file(
    videoId: string,
    format: 'srt' | 'vtt' | 'txt',
    options?: CallOptions,
  ): Promise<string> {
    const call = {
      method: 'GET',
      path: addressOf(videoId),
      query: { format },
      headers: { Accept: '*/*' },
    } as const
    return (await this.#transport.send(call, options)).text
  }
}

function addressOf(videoId: string): string {
  return `/v1/videos/${pathPart(videoId, 'videoId')}/transcript`
}
