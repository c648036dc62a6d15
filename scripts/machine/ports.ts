import { createServer, type Server } from 'node:net'
import { codeOf } from '../../containers/errors/code-of.ts'

const loopback = '127.0.0.1'

async function listen(port: number, host = loopback): Promise<Server> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, exclusive: true }, () => resolve(server))
  })
}

async function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}

/** `foreign`: the address does not belong to this machine. */
export type PortState = 'free' | 'taken' | 'forbidden' | 'foreign'

export async function portState(host: string, port: number): Promise<PortState> {
  try {
    await close(await listen(port, host))
    return 'free'
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EADDRINUSE') return 'taken'
    if (code === 'EACCES') return 'forbidden'
    if (code === 'EADDRNOTAVAIL') return 'foreign'
    throw error
  }
}

/** All ports are held while they are chosen, so that no two are the same. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, () => listen(0)))
  const ports = servers.map((server) => {
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('No port was given')
    return address.port
  })
  await Promise.all(servers.map(close))
  return ports
}
