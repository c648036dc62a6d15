import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { listen } from '../node/listen.ts'

export type SourceServer = {
  origin: string
  port: number
  /** Paths asked for, in order. */
  hits: string[]
  /** Serves a file of the disk; returns its address. */
  file(path: string): string
  /** Serves whatever `answer` does; returns its address. */
  route(path: string, answer: (request: IncomingMessage, response: ServerResponse) => void): string
  close: () => Promise<void>
}

/** A real HTTP server to fetch sources from. */
export async function startSources(): Promise<SourceServer> {
  const routes = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>()
  const hits: string[] = []
  const server = await listen((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://local')
    hits.push(pathname)
    const answer = routes.get(pathname)
    if (answer) answer(request, response)
    else response.writeHead(404).end()
  })
  const route: SourceServer['route'] = (path, answer) => {
    routes.set(path, answer)
    return `${server.origin}${path}`
  }
  return {
    ...server,
    hits,
    route,
    file: (file) =>
      route(`/files${file}`, (_request, response) => {
        void stat(file).then(({ size }) => {
          response.writeHead(200, { 'Content-Length': size })
          createReadStream(file).pipe(response)
        })
      }),
  }
}
