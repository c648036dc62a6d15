import { createServer, type RequestListener, type Server } from 'node:http'
import { once } from 'node:events'

export type LocalServer = { origin: string; port: number; close: () => Promise<void> }

/** A real HTTP server on a free port of the loopback. */
export async function listen(handler: RequestListener): Promise<LocalServer> {
  const server = createServer(handler)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${portOf(server)}`,
    port: portOf(server),
    close: () => end(server),
  }
}

function portOf(server: Server): number {
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('Not listening')
  return address.port
}

async function end(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}
