import { canonicalHost, isLoopback, isUnspecified, portOf, withoutMapping } from './public-url.ts'

/** The hosts and ports that count as this service. A request may name no address of the service except its files. */
export type OwnService = {
  /** The origins of the addresses that the service gives out. */
  readonly origins: readonly string[]
  /** What stands before `/files/` in the file links in records. A link carries its own permission, so it may be a source. */
  readonly files: string
  /** Every port of this machine on which a process of the service listens, public or not. */
  readonly ports: ReadonlySet<number>
  /** The addresses and names of this machine besides loopback, in the spelling of `parseOwnHosts`. */
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

/** Reads `192.168.1.5,fe80::1,studio.lan`; an empty text names no host. */
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

/** True for every address that this service answers, by any of its ports and any name of its machine. */
export function isOurs(url: URL, own: OwnService): boolean {
  const service = serviceOf(url, own)
  if (service === undefined) return false
  if (service.isHere && own.ports.has(portOf(url))) return true
  const { services, fileService } = namesOf(own)
  return services.has(service.name) || service.name === fileService
}

/** Something of the service that anybody who knows its address may read, and so a source that any request may name. */
type OurSource = {
  /** A link to a file, or a clip of the guides, whose commands name it so that each can be tried as it stands. */
  readonly kind: 'file' | 'example'
  /** What follows the address at which the service gives out its files, or its pages. */
  readonly path: string
}

export function ourSource(url: URL, own: OwnService): OurSource | undefined {
  const name = serviceOf(url, own)?.name
  if (name === undefined) return undefined
  const { services, fileService, beforeFiles } = namesOf(own)
  const { pathname, search } = url
  if (name === fileService && pathname.startsWith(`${beforeFiles}/files/`))
    return { kind: 'file', path: pathname.slice(beforeFiles.length) + search }
  const isExample = /^\/docs\/examples\/[a-z0-9-]+\.[a-z0-9]+$/.test(pathname)
  const isHere = services.has(name) || name === fileService
  return isExample && isHere ? { kind: 'example', path: pathname } : undefined
}

type OwnNames = {
  readonly services: ReadonlySet<string>
  readonly fileService: string | undefined
  readonly beforeFiles: string
}

const names = new WeakMap<OwnService, OwnNames>()

/**
 * The canonical names of the service's origins, computed once because every address of every request is compared with
 * them.
 */
function namesOf(own: OwnService): OwnNames {
  const known = names.get(own)
  if (known) return known
  const nameOf = (origin: string) => serviceOf(new URL(origin), own)?.name
  const services = new Set(own.origins.flatMap((origin) => nameOf(origin) ?? []))
  const beforeFiles = new URL(own.files).pathname.replace(/\/$/, '')
  const found = { services, fileService: nameOf(own.files), beforeFiles }
  names.set(own, found)
  return found
}

/**
 * Host and port without the scheme, because a Worker answers on http and https alike. All names of this machine become
 * one host.
 */
function serviceOf(url: URL, own: OwnService): { name: string; isHere: boolean } | undefined {
  const host = canonicalHost(url.hostname)
  if (host === undefined) return undefined
  // A client that connects to an unspecified address reaches this machine.
  const isHere = isLoopback(host) || isUnspecified(host) || own.hosts.has(withoutMapping(host))
  return { name: `${isHere ? 'localhost' : host}:${url.port}`, isHere }
}
