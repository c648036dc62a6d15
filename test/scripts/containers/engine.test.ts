import { connect, createServer } from 'node:net'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { findEngine } from '../../../scripts/containers/engine.ts'
import { reachFromBridge } from '../../../scripts/containers/reach-from-bridge.ts'

it('says which engine does not answer, and how to get one', () => {
  const find = () => findEngine({ DOCKER_HOST: 'unix:///nowhere/docker.sock' })
  expect(find).toThrow(/npm run containers -- --install/)
  expect(find).toThrow(/nowhere\/docker\.sock: there is no such socket|docker is missing/)
})

/** Answers what it is sent. */
async function anEcho() {
  const server = createServer({ allowHalfOpen: true }, (client) => client.pipe(client))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('no address')
  return { server, port: address.port }
}

it('leads connections to the address of the bridge on to the loopback, both ways', async () => {
  const { server, port } = await anEcho()
  const end = await reachFromBridge('127.0.0.3', port)
  const client = connect({ host: '127.0.0.3', port })
  client.write('from a container')
  const [said] = (await once(client, 'data')) as [Buffer]
  expect(said.toString()).toBe('from a container')
  client.destroy()
  end()
  server.close()
})

it('says so if a container would not reach the service', async () => {
  const { server, port } = await anEcho()
  const listening = reachFromBridge('127.0.0.1', port)
  await expect(listening).rejects.toThrow(`cannot listen at 127.0.0.1:${port}`)
  server.close()
})
