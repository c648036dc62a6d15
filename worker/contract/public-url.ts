import ipaddr from 'ipaddr.js'
import type { FieldFault } from './errors.ts'
import { limits } from './limits.ts'
import { urlFault } from './media-url.ts'

/** `host` (every port) and `host:port`, in the spelling of a parsed URL. */
export type AllowedHosts = ReadonlySet<string>

const publicPorts: readonly number[] = [80, 443, 8080, 8443]

/** Endings that only a private resolver answers; `*.internal` holds the metadata names of the clouds. */
const privateEndings = new Set([
  ...['localhost', 'localdomain', 'local', 'internal', 'intranet', 'private', 'corp', 'home'],
  ...['lan', 'arpa', 'svc', 'default', 'consul'],
])

/** Public names that lead to a cloud's metadata service. */
const metadataNames = new Set(['metadata.tencentyun.com'])

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

/** True for addresses of the open internet only. An IPv4 address must be four plain decimals. */
export function isPublicAddress(ip: string): boolean {
  return ip.includes(':') ? isPublicIpv6(ip) : isPublicIpv4(ip)
}

function isPublicIpv6(ip: string): boolean {
  // Read by the URL parser: ipaddr.js takes ::8.8.8.8 for a mapped address, and octal for decimal.
  const host = parsedHost(`[${ip}]`)
  if (host === undefined) return false
  const address = ipaddr.IPv6.parse(host.slice(1, -1))
  if (address.isIPv4MappedAddress()) return isPublicIpv4(address.toIPv4Address().toString())
  return address.match(globalUnicast) && address.range() === 'unicast'
}

/** All that was ever given out; `::127.0.0.1` and whatever comes to be reserved lie outside. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

function isPublicIpv4(ip: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(ip) && ipaddr.IPv4.parse(ip).range() === 'unicast'
}

/**
 * Why this host must not be asked, or undefined. A name is judged by its spelling alone: whoever connects must vet the
 * addresses it resolves to with `isPublicAddress`.
 */
export function hostFault(url: URL, allowed: AllowedHosts): string | undefined {
  const host = canonicalHost(url.hostname)
  if (host === undefined) return 'Must name a valid host'
  const port = portOf(url)
  if (isAllowedHost(allowed, host, port)) return undefined
  if (isAddress(host)) {
    if (!isPublicAddress(host.replace(/^\[|\]$/g, ''))) return privateFault
  } else if (isPrivateName(host)) return privateFault
  return publicPorts.includes(port) ? undefined : 'Must use port 80, 443, 8080 or 8443'
}

function isAddress(host: string): boolean {
  return host.startsWith('[') || ipaddr.IPv4.isValid(host)
}

function isPrivateName(host: string): boolean {
  const labels = host.split('.')
  return labels.length < 2 || privateEndings.has(labels.at(-1) ?? '') || metadataNames.has(host)
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}

/**
 * One spelling for every host: lower case, punycode, plain decimals, no dots behind. Dots are dropped between two
 * parses, because `0x7f.1..` is a name to the URL parser and becomes an address without them.
 */
function canonicalHost(host: string): string | undefined {
  const once = parsedHost(host.includes(':') && !host.startsWith('[') ? `[${host}]` : host)
  return once === undefined ? undefined : parsedHost(once)
}

function parsedHost(host: string): string | undefined {
  if (!/^(\[[0-9a-f:.]+\]|[^\s:/?#@\\[\]%*]+)$/i.test(host)) return undefined
  const name = URL.parse(`http://${host}/`)?.hostname.replace(/\.+$/, '')
  return name === '' ? undefined : name
}

export type AddressPolicy = {
  allowed: AllowedHosts
  /** Every origin this service answers at. */
  ownOrigins: readonly string[]
  /** Where the links of records point; they carry their own permission, so they may be sources. */
  fileOrigin: string
}

type Role = 'source' | 'webhook'

/** What is wrong with the hosts a create body names, valid or not; faults of spelling are the schema's. */
export function addressFaults(body: unknown, policy: AddressPolicy): FieldFault[] {
  return [
    ...urlFaults('fileUrl', property(body, 'fileUrl'), 'source', policy),
    ...urlFaults('webhookUrl', property(body, 'webhookUrl'), 'webhook', policy),
    ...listedUrlFaults(body, 'files', limits.files, policy),
    ...listedUrlFaults(body, 'elements', limits.elements, policy),
  ]
}

function listedUrlFaults(
  body: unknown,
  field: string,
  limit: number,
  policy: AddressPolicy,
): FieldFault[] {
  const entries = property(body, field)
  if (!Array.isArray(entries)) return []
  return entries
    .slice(0, limit + 1)
    .flatMap((entry, i) =>
      urlFaults(`${field}[${i}].url`, property(entry, 'url'), 'source', policy),
    )
}

function urlFaults(field: string, text: unknown, role: Role, policy: AddressPolicy): FieldFault[] {
  if (typeof text !== 'string' || text.length > limits.urlLength || urlFault(text)) return []
  const url = new URL(text)
  const messages = [
    hostFault(url, policy.allowed) ?? ownServiceFault(url, role, policy),
    role === 'webhook' ? insecureFault(url, policy.allowed) : undefined,
  ]
  return messages.flatMap((message) => (message === undefined ? [] : [{ field, message }]))
}

function ownServiceFault(url: URL, role: Role, policy: AddressPolicy): string | undefined {
  const { ownOrigins, fileOrigin } = policy
  if (![...ownOrigins, fileOrigin].some((origin) => isAnsweredBy(origin, url))) return undefined
  const isFile = isAnsweredBy(fileOrigin, url) && isFilePath(url)
  return role === 'source' && isFile ? undefined : 'Must not be an address of this service'
}

/** True for all that the service at this origin answers but its files, which are read by a link alone. */
export function leadsToApiOf(origin: string, url: URL): boolean {
  return isAnsweredBy(origin, url) && !isFilePath(url)
}

function isFilePath(url: URL): boolean {
  return url.pathname.startsWith('/files/')
}

function isAnsweredBy(origin: string, url: URL): boolean {
  return serviceOf(new URL(origin)) === serviceOf(url)
}

/** Host and port without the scheme: a Worker answers on http and https alike. All of loopback is one host. */
function serviceOf(url: URL): string {
  const host = canonicalHost(url.hostname) ?? ''
  return `${isLoopback(host) ? 'localhost' : host}:${url.port}`
}

/** Names that the hosts files of common systems give to loopback, beside `localhost` and what ends in it. */
const loopbackNames = new Set(['localhost.localdomain', 'ip6-localhost', 'ip6-loopback'])

/** 0.0.0.0 and :: count: who connects to them reaches this machine. */
function isLoopback(host: string): boolean {
  if (!isAddress(host)) return /(^|\.)localhost$/.test(host) || loopbackNames.has(host)
  const range = ipaddr.process(host.replace(/^\[|\]$/g, '')).range()
  return range === 'loopback' || range === 'unspecified'
}

function insecureFault(url: URL, allowed: AllowedHosts): string | undefined {
  if (url.protocol === 'https:' || isAllowedHost(allowed, url.hostname, portOf(url)))
    return undefined
  return 'Must be an https:// address'
}

function property(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
}
