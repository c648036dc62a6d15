import ipaddr from 'ipaddr.js'

/** `host` (every port) and `host:port`, in the spelling of a parsed URL. */
export type AllowedHosts = ReadonlySet<string>

const publicPorts: readonly number[] = [80, 443, 8080, 8443]

/** Endings that only private resolvers answer. Clouds name their metadata services under `internal`. */
const privateEndings = new Set([
  ...['localhost', 'localdomain', 'local', 'internal', 'intranet', 'private', 'corp', 'home'],
  ...['lan', 'arpa', 'svc', 'default', 'consul'],
])

/** Public names and addresses of services that a cloud offers its own machines, and that hand out secrets. */
const metadataNames = new Set(['metadata.tencentyun.com'])
const metadataAddresses = new Set(['168.63.129.16'])

const privateFault = 'Must not lead to a private or local address'

/** Reads `localhost,127.0.0.1:9000,[::1]:80`; an empty text allows nothing. */
export function parseAllowedHosts(text: string): AllowedHosts {
  const entries = text.split(',').map((entry) => entry.trim())
  return new Set(entries.filter((entry) => entry !== '').map(parseAllowedHost))
}

function parseAllowedHost(entry: string): string {
  const [, name, portText] = /^(\[[^\]]+\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(entry) ?? []
  const host = name === undefined ? undefined : canonicalHost(name)
  const port = portText === undefined ? undefined : Number(portText)
  if (host === undefined || port === 0 || (port ?? 0) > 65_535) {
    throw new Error(
      `"${entry}" is not a host or host:port; IPv6 addresses need brackets, such as [::1]:9000`,
    )
  }
  return port === undefined ? host : `${host}:${port}`
}

export function isAllowedHost(allowed: AllowedHosts, host: string, port: number): boolean {
  if (allowed.size === 0) return false
  const canonical = canonicalHost(host)
  if (canonical === undefined) return false
  return allowed.has(canonical) || allowed.has(`${canonical}:${port}`)
}

/** True only for addresses on the public internet. An IPv4 address must be four plain decimals. */
export function isPublicAddress(ip: string): boolean {
  return ip.includes(':') ? isPublicIpv6(ip) : isPublicIpv4(ip)
}

function isPublicIpv6(ip: string): boolean {
  // Goes through the URL parser first: ipaddr.js takes ::8.8.8.8 for a mapped address, and octal for decimal.
  const host = parsedHost(`[${ip}]`)
  if (host === undefined) return false
  const address = ipaddr.IPv6.parse(host.slice(1, -1))
  if (address.isIPv4MappedAddress()) return isPublicIpv4(address.toIPv4Address().toString())
  return address.match(globalUnicast) && address.range() === 'unicast'
}

/** The only block from which addresses have been allocated; `::127.0.0.1` and ranges reserved later lie outside it. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

function isPublicIpv4(ip: string): boolean {
  if (!ipaddr.IPv4.isValidFourPartDecimal(ip) || metadataAddresses.has(ip)) return false
  return ipaddr.IPv4.parse(ip).range() === 'unicast'
}

/**
 * Why this host must not be contacted, or undefined. A name is judged by its spelling only: the code that connects must
 * check the addresses it resolves to with `isPublicAddress`.
 */
export function hostFault(url: URL, allowed: AllowedHosts): string | undefined {
  const host = canonicalHost(url.hostname)
  if (host === undefined) return 'Must name a valid host'
  const port = portOf(url)
  if (isAllowedHost(allowed, host, port)) return undefined
  if (isAddress(host)) {
    if (!isPublicAddress(withoutBrackets(host))) return privateFault
  } else if (isPrivateName(host)) return privateFault
  return publicPorts.includes(port) ? undefined : 'Must use port 80, 443, 8080 or 8443'
}

function isAddress(host: string): boolean {
  // Asking the library about every name took longer than all other checks of a create.
  if (!/^[\da-fx.:[\]%]+$/i.test(host)) return false
  return host.startsWith('[') || ipaddr.IPv4.isValid(host)
}

function isPrivateName(host: string): boolean {
  const labels = host.split('.')
  return labels.length < 2 || privateEndings.has(labels.at(-1) ?? '') || metadataNames.has(host)
}

export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}

/**
 * The canonical spelling of a host: lower case, punycode, plain decimals, no trailing dots. Dots are dropped between
 * two parses, because `0x7f.1..` is a name to the URL parser and becomes an address without them.
 */
export function canonicalHost(host: string): string | undefined {
  if (plainName.test(host) && !host.includes('xn--')) return host
  const once = parsedHost(host.includes(':') && !host.startsWith('[') ? `[${host}]` : host)
  return once === undefined ? undefined : parsedHost(once)
}

/**
 * Names that the URL parser leaves as they are. Most names match, and parsing them took a twentieth of a create. The
 * last label begins with a letter, so it is never read as a number.
 */
const plainName = /^(?:[a-z\d-]+\.)*[a-z][a-z\d-]*$/

function parsedHost(host: string): string | undefined {
  if (!/^(\[[0-9a-f:.]+\]|[^\s:/?#@\\[\]%*]+)$/i.test(host)) return undefined
  const name = URL.parse(`http://${host}/`)?.hostname.replace(/\.+$/, '')
  return name === '' ? undefined : name
}

/** Names that the hosts files of common systems give to loopback, besides `localhost` and names that end in it. */
const loopbackNames = new Set(['localhost.localdomain', 'ip6-localhost', 'ip6-loopback'])

/** True for a canonical host that only this machine itself reaches. */
export function isLoopback(host: string): boolean {
  if (!isAddress(host)) return /(^|\.)localhost$/.test(host) || loopbackNames.has(host)
  return rangeOf(host) === 'loopback'
}

/** The same for a host as it is written. False for 0.0.0.0 and ::, which listen everywhere. */
export function isLoopbackName(name: string): boolean {
  const host = canonicalHost(name)
  return host !== undefined && isLoopback(host)
}

/** 0.0.0.0 and ::, which mean every address to a server and this machine to a client. */
export function isUnspecified(host: string): boolean {
  return isAddress(host) && rangeOf(host) === 'unspecified'
}

function rangeOf(address: string): string {
  return ipaddr.process(withoutBrackets(address)).range()
}

/** Turns an IPv4-mapped IPv6 address into its IPv4 address; every other canonical host stays as it is. */
export function withoutMapping(host: string): string {
  if (!host.startsWith('[')) return host
  const address = ipaddr.process(withoutBrackets(host))
  return address.kind() === 'ipv4' ? address.toString() : host
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, '')
}
