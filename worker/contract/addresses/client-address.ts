import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** The networks of the proxies in front of the service, which are trusted to name clients. */
export type TrustedProxies = readonly (readonly [Address, number])[]

/** Reads `127.0.0.1,10.0.0.0/8,fd00::/8`; with an empty text, no proxy is trusted. */
export function parseTrustedProxies(text: string): TrustedProxies {
  const entries = text.split(',').map((entry) => entry.trim())
  return entries.filter((entry) => entry !== '').map(parseNetwork)
}

function parseNetwork(entry: string): readonly [Address, number] {
  const [, name = '', bitsText] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? []
  const address = parseAddress(name)
  const most = address instanceof ipaddr.IPv4 ? 32 : 128
  const bits = bitsText === undefined ? most : Number(bitsText)
  if (!address || bits > most) {
    throw new Error(`"${entry}" is not an address or a network, such as 10.0.0.0/8`)
  }
  if (bits === 0) throw new Error(`"${entry}" would believe every sender; name your proxies`)
  return [address, bits]
}

/** An address without its port, as `1.2.3.4:80` or `[::1]:80`; IPv4 inside IPv6 becomes IPv4. */
function parseAddress(text: string): Address | undefined {
  const [, six, , four] = /^(?:\[([^\]]+)\](:\d+)?|([\d.]+)(?::\d+)?)$/.exec(text) ?? []
  const bare = (six ?? four ?? text).replace(/%.*$/, '')
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare)
  return ipaddr.IPv6.isValid(bare) ? ipaddr.process(bare) : undefined
}

function isTrusted(address: Address, proxies: TrustedProxies): boolean {
  return proxies.some(
    ([network, bits]) => network.kind() === address.kind() && address.match([network, bits]),
  )
}

/**
 * The address of the client. Each proxy appends the address that connected to it, so the text is read from the right, and only
 * as far as trusted proxies have written it: the client itself may have sent the rest.
 */
export function clientAddressOf(
  /** The other end of the connection, with or without its port. */
  peer: string,
  /** What `X-Forwarded-For` says, if the request has it. */
  told: string | undefined,
  proxies: TrustedProxies,
): string | undefined {
  let nearest = parseAddress(peer)
  // Other headers of this kind are not read: a proxy passes on those that it does not write itself, as the client sent them.
  const hops = told?.split(',').map((hop) => hop.trim()) ?? []
  while (nearest && isTrusted(nearest, proxies)) {
    const before = hops.pop()
    const address = before === undefined ? undefined : parseAddress(before)
    if (!address) break
    nearest = address
  }
  return nearest?.toString()
}

export function isLoopbackAddress(address: string): boolean {
  return parseAddress(address)?.range() === 'loopback'
}

/**
 * The range of addresses that one customer of an internet provider can change between at will: a single IPv4 address,
 * or a /64 of IPv6.
 */
export function neighbourhoodOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  if (address instanceof ipaddr.IPv4) return address.toString()
  const [a = 0, b = 0, c = 0, d = 0] = address.parts
  return `${[a, b, c, d].map((part) => part.toString(16)).join(':')}::/64`
}
