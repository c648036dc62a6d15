import { lookup } from 'node:dns/promises'
import { hostname, networkInterfaces } from 'node:os'
import {
  canonicalHost,
  isLoopback,
  parseAllowedHosts,
} from '../../worker/contract/addresses/public-url.ts'
import { withinMs } from '../../worker/contract/within-ms.ts'
import type { Settings } from './settings.ts'

/** What customers may not make the service contact: all of its own ports, by every name of its machine. */
export type OwnMachine = { ports: readonly number[]; hosts: readonly string[] }

type Resolve = (name: string) => Promise<readonly string[]>

/** The start does not wait longer for a name: one that does not resolve leads nowhere yet. */
const patienceMs = 2_000

/**
 * The ports of all processes of the service, and the names of its machine. A Worker cannot resolve names, so the names
 * on the allow-list are resolved here: one that leads to this machine is another name of it.
 */
export async function ownMachine(
  {
    PORT,
    texts,
  }: Pick<Settings, 'PORT'> & { texts: Pick<Settings['texts'], 'ALLOW_PRIVATE_HOSTS'> },
  {
    media,
    ...chosen
  }: { entry: number; loopback: number; inspector: number; media: readonly number[] },
  resolve: Resolve = systemResolve,
): Promise<OwnMachine> {
  const ports = [PORT, ...Object.values(chosen), ...media]
  const allowedHosts = parseAllowedHosts(texts.ALLOW_PRIVATE_HOSTS)
  const addresses = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .map(({ address }) => withoutZone(address))
  const here = new Set(addresses.map((address) => canonicalHost(address)))
  const leadsHere = async (name: string): Promise<boolean> => {
    const found = await withinMs(patienceMs, resolve(name), () => []).catch(() => [])
    return found.some((address) => {
      const host = canonicalHost(address)
      return host !== undefined && (isLoopback(host) || here.has(host))
    })
  }
  const names = [...allowedHosts].map((entry) => entry.replace(/:\d+$/, ''))
  const own = await Promise.all(names.map(async (name) => ((await leadsHere(name)) ? [name] : [])))
  const given = canonicalHost(hostname())
  return { ports, hosts: [...new Set([...addresses, ...(given ? [given] : []), ...own.flat()])] }
}

/** The variables that both the Worker and the media workers read. */
export function ownVariables({ ports, hosts }: OwnMachine): Record<string, string> {
  return { OWN_PORTS: ports.join(), OWN_HOSTS: hosts.join() }
}

/** `fe80::1%en0`: no URL can name a zone. */
function withoutZone(address: string): string {
  return address.replace(/%.*$/, '')
}

async function systemResolve(name: string): Promise<string[]> {
  const bare = name.replace(/^\[|\]$/g, '')
  return (await lookup(bare, { all: true })).map(({ address }) => address)
}
