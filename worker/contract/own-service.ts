import { canonicalHost, isLoopback, isUnspecified, portOf, withoutMapping } from './public-url.ts'

/** What counts as this service itself: nobody has it asked anything but its files. */
export type OwnService = {
  /** Where it answers by the addresses it gives out, wherever they lead. */
  readonly origins: readonly string[]
  /** Where the links of records point; they carry their own permission, so they may be sources. */
  readonly fileOrigin: string
  /** Every port of this machine that a process of the service listens on, public or not. */
  readonly ports: ReadonlySet<number>
  /** The addresses and names of this machine beside all of loopback, in the spelling of `parseOwnHosts`. */
  readonly hosts: ReadonlySet<string>
}

/** Reads `8787,41001`; an empty text names no port. */
export function parseOwnPorts(text: string): ReadonlySet<number> {
  return new Set(
    listed(text).map((entry) => {
      const port = /^\d{1,5}$/.test(entry) ? Number(entry) : 0
      if (port < 1 || port > 65_535) throw new Error(`"${entry}" is not a port`)
      return port
    }),
  )
}

/** Reads `192.168.1.5,fe80::1,studio.lan`; an empty text names nobody. */
export function parseOwnHosts(text: string): ReadonlySet<string> {
  return new Set(
    listed(text).map((entry) => {
      const host = canonicalHost(entry)
      if (host === undefined) throw new Error(`"${entry}" is not a host`)
      return withoutMapping(host)
    }),
  )
}

function listed(text: string): string[] {
  return text.split(',').flatMap((entry) => entry.trim() || [])
}

/** True for all that this service answers, by any of its ports and any name of its machine. */
export function isOurs(url: URL, own: OwnService): boolean {
  const service = serviceOf(url, own)
  if (service === undefined) return false
  if (service.isHere && own.ports.has(portOf(url))) return true
  return [...own.origins, own.fileOrigin].some((origin) => isSame(origin, service.name, own))
}

/** True for a link to one of our files, which anybody who has the link may read. */
export function isOurFile(url: URL, own: OwnService): boolean {
  return (
    url.pathname.startsWith('/files/') && isSame(own.fileOrigin, serviceOf(url, own)?.name, own)
  )
}

/** Host and port without the scheme: a Worker answers on http and https alike. All of this machine is one host. */
function isSame(origin: string, name: string | undefined, own: OwnService): boolean {
  return name !== undefined && serviceOf(new URL(origin), own)?.name === name
}

function serviceOf(url: URL, own: OwnService): { name: string; isHere: boolean } | undefined {
  const host = canonicalHost(url.hostname)
  if (host === undefined) return undefined
  // Who connects to an unspecified address reaches this machine.
  const isHere = isLoopback(host) || isUnspecified(host) || own.hosts.has(withoutMapping(host))
  return { name: `${isHere ? 'localhost' : host}:${url.port}`, isHere }
}
