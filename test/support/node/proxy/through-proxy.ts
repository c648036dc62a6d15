import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { publicName, type Proxy } from './proxies.ts'

export type Asking = {
  method?: string
  headers?: Record<string, string | number>
  body?: string | Readable
  /** The address of loopback that the request comes from. */
  from?: string
}

/** Asks for a path, or for a link that the service has made, as a client on another machine would. */
export async function askThrough(
  proxy: Proxy,
  pathOrLink: string,
  { method, headers = {}, body, from = '127.0.0.2' }: Asking = {},
): Promise<IncomingMessage> {
  const { origin, pathname, search } = new URL(pathOrLink, `https://${publicName}`)
  if (origin !== `https://${publicName}`) throw new Error(`${pathOrLink} leads elsewhere`)
  const asked = request({
    host: '127.0.0.1',
    port: proxy.port,
    servername: publicName,
    ca: proxy.certificate,
    localAddress: from,
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    path: pathname + search,
    headers: { Host: publicName, ...headers },
    agent: false,
  })
  // A service that refuses an upload need not take all of it.
  const answered = once(asked, 'response') as Promise<[IncomingMessage]>
  if (body instanceof Readable) {
    body.on('error', (error) => asked.destroy(error))
    body.pipe(asked)
  } else asked.end(body)
  const [answer] = await answered
  return answer
}

export async function jsonThrough(
  ...asking: Parameters<typeof askThrough>
): Promise<Record<string, unknown>> {
  return JSON.parse(await text(await askThrough(...asking))) as Record<string, unknown>
}
