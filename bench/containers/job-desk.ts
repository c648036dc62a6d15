import { createReadStream, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { protocolVersion, type MediaJob } from '../../worker/contract/job/media-job.ts'
import { optionsSchema } from '../../worker/contract/options/options.ts'
import { signatureHeader, signMessage } from '../../worker/contract/webhooks/signature.ts'

const reportKey = 'a key for the reports of a benchmark'

/** Stands where the service stands for a media worker: hands over one job, serves its source and takes its result. */
export class JobDesk {
  readonly #server: Server
  readonly #file: string
  #address = ''
  #ended = Promise.withResolvers<string>()
  #fence = 0

  constructor(file: string) {
    this.#file = file
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) =>
        response.writeHead(500).end(String(error)),
      )
    })
  }

  async open(host: string): Promise<void> {
    this.#server.listen(0, host)
    await once(this.#server, 'listening')
    const address = this.#server.address()
    if (typeof address === 'object') this.#address = `http://${host}:${address?.port}`
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  /** Gives a media worker the job, and waits until it has reported how it ended. */
  async run(mediaWorker: string, token: string): Promise<string> {
    this.#ended = Promise.withResolvers()
    const body = JSON.stringify(this.#job())
    const answer = await fetch(`${mediaWorker}/jobs`, {
      method: 'POST',
      body,
      headers: {
        'Content-Type': 'application/json',
        [signatureHeader]: await signMessage(token, body, Date.now()),
      },
    })
    if (answer.status !== 202) throw new Error(`the job was refused: ${await answer.text()}`)
    return this.#ended.promise
  }

  #job(): MediaJob {
    const fence = ++this.#fence
    return {
      version: protocolVersion,
      jobId: 'j_0123456789abcdef',
      videoId: 'v_01234567',
      account: 'a_0123456789abcd',
      ...{ fence, attempt: 1 },
      inputs: [{ field: 'fileUrl', url: `${this.#address}/source.mp4`, origin: 'storage' }],
      options: optionsSchema.parse({ aspectRatio: '9:16' }),
      reports: { url: `${this.#address}/reports`, key: reportKey, heartbeatSeconds: 10 },
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET') {
      this.#serve(request, response)
      return
    }
    if (request.method === 'PUT') {
      await once(request.resume(), 'end')
      response.writeHead(200, { ETag: '"1"' }).end()
      return
    }
    const said = JSON.parse(await text(request)) as { type?: string; sizeBytes?: number }
    if (request.url?.endsWith('/outputs')) {
      const parts = [{ partNumber: 1, url: `${this.#address}/result` }]
      response.end(JSON.stringify({ partSizeBytes: said.sizeBytes, parts }))
      return
    }
    const isLast = said.type !== 'progress'
    response.end(JSON.stringify({ action: isLast ? 'stop' : 'carry-on' }))
    if (isLast) this.#ended.resolve(String(said.type))
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const { size } = statSync(this.#file)
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
    const start = Number(from ?? 0)
    const end = Math.min(to === undefined || to === '' ? size - 1 : Number(to), size - 1)
    response.writeHead(from === undefined ? 200 : 206, {
      'Content-Type': 'video/mp4',
      'Content-Length': end - start + 1,
      'Accept-Ranges': 'bytes',
      ...(from === undefined ? {} : { 'Content-Range': `bytes ${start}-${end}/${size}` }),
    })
    createReadStream(this.#file, { start, end }).pipe(response)
  }
}
