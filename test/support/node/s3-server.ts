import type { IncomingMessage, ServerResponse } from 'node:http'
import { S3StandIn } from '../worker/storages/s3-stand-in.ts'
import { listen, type LocalServer } from './listen.ts'

/** The bucket of the stand-in behind a real HTTP server. */
export class S3Server {
  readonly s3: S3StandIn
  readonly #server: LocalServer

  private constructor(s3: S3StandIn, server: LocalServer) {
    this.s3 = s3
    this.#server = server
  }

  static async start(): Promise<S3Server> {
    const s3 = new S3StandIn()
    const server = await listen((request, response) => void answer(s3, request, response))
    return new S3Server(s3, server)
  }

  get origin(): string {
    return this.#server.origin
  }

  async close(): Promise<void> {
    await this.#server.close()
  }
}

async function answer(
  s3: S3StandIn,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { method = 'GET', url = '/' } = request
  const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value]] : [],
  )
  const body = method === 'GET' || method === 'HEAD' ? null : Buffer.concat(chunks)
  const address = new URL(url, `http://${request.headers.host ?? ''}`)
  const answered = await s3.take(new Request(address, { method, headers, body }))
  response.writeHead(answered.status, Object.fromEntries(answered.headers))
  response.end(Buffer.from(await answered.arrayBuffer()))
}
