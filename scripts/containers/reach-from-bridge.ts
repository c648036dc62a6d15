import { once } from 'node:events'
import { connect, createServer } from 'node:net'

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
  await once(server, 'listening')
  return () => server.close()
}
