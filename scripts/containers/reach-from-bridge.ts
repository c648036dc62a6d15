import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { StopWithMessage } from '../machine/stop-with-message.ts'

/**
 * Leads connections of containers on to the service, which listens on the loopback alone: nobody but containers of this
 * machine reaches the address of the bridge. Returns what ends it.
 */
export async function reachFromBridge(gateway: string, port: number): Promise<() => void> {
  const server = createServer((client) => {
    const service = connect({ host: '127.0.0.1', port })
    client.pipe(service).pipe(client)
    client.once('error', () => service.destroy())
    service.once('error', () => client.destroy())
    client.once('close', () => service.destroy())
    service.once('close', () => client.destroy())
  })
  server.listen(port, gateway)
  try {
    await once(server, 'listening')
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new StopWithMessage(
      `Containers would not reach the service: it cannot listen at ${gateway}:${port}, the address of this machine on the bridge of the Docker engine (${why}). The engine must run on this machine, and the port must be free there.`,
    )
  }
  return () => server.close()
}
