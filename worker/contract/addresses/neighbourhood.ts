import ipaddr from 'ipaddr.js'

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
