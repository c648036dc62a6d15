import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'

export type LocalServer = { origin: string; port: number; close: () => Promise<void> }

/** A real HTTP server on the loopback, on a free port unless one is given. */
export async function listen(handler: RequestListener, wanted = 0): Promise<LocalServer> {
  const server = createServer(handler)
  server.listen(wanted, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('Not listening')
  const { port } = address
  return { origin: `http://127.0.0.1:${port}`, port, close: async () => end(server) }
}

async function end(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}
