import { hostname, networkInterfaces } from 'node:os'
import { expect, it } from 'vitest'
import { ownMachine, ownVariables } from '../../../scripts/start/own-machine.ts'
import {
  isOurs,
  parseOwnHosts,
  parseOwnPorts,
} from '../../../worker/contract/addresses/own-service.ts'

const addresses = Object.values(networkInterfaces())
  .flatMap((list) => list ?? [])
  .map(({ address }) => address)

const names: Record<string, string[]> = {
  'studio.lan': ['10.99.0.1', '127.0.0.1'],
  'nas.lan': ['10.99.0.2'],
}

async function resolve(name: string): Promise<string[]> {
  const found = names[name]
  if (!found) throw new Error('ENOTFOUND')
  return found
}

it('ownMachine knows this machine by its addresses, its name, and the allowed names that lead to it', async () => {
  const settings = {
    PORT: 8787,
    texts: { ALLOW_PRIVATE_HOSTS: 'studio.lan:9000,nas.lan,gone.lan' },
  }
  const ports = { entry: 41001, loopback: 41002, inspector: 41003, media: [41004, 41005] }
  const { OWN_PORTS = '', OWN_HOSTS = '' } = ownVariables(
    await ownMachine(settings, ports, resolve),
  )
  expect(OWN_PORTS).toBe('8787,41001,41002,41003,41004,41005')
  const own = {
    origins: [],
    files: 'http://127.0.0.1:8787',
    ports: parseOwnPorts(OWN_PORTS),
    hosts: parseOwnHosts(OWN_HOSTS),
  }
  const isOwn = (host: string) => isOurs(new URL(`http://${host}:41001/jobs`), own)
  const plain = addresses.map((address) => (address.includes(':') ? `[${address}]` : address))
  expect(plain.length).toBeGreaterThan(0)
  for (const host of [...plain, hostname(), 'studio.lan', 'localhost']) {
    expect(isOwn(host), host).toBe(true)
  }
  for (const host of ['nas.lan', 'gone.lan', '10.99.0.2']) expect(isOwn(host), host).toBe(false)
})
