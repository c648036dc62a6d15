import { lookup as dnsLookup, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import {
  isOurs,
  ourSource,
  type OwnService,
} from '../../../worker/contract/addresses/own-service.ts'
import {
  isAllowedHost,
  isPublicAddress,
  portOf,
  type AllowedHosts,
} from '../../../worker/contract/addresses/public-url.ts'

/** The address must not be requested at all. The message tells the customer nothing new about it. */
export class AddressRefusedError extends Error {
  override name = 'AddressRefusedError'
}

export type Resolve = (host: string) => Promise<readonly LookupAddress[]>

export type LookupGuard = {
  /** `storage` addresses are the service's own and are not checked. */
  readonly origin: 'customer' | 'storage' | 'link'
  readonly allowedHosts: AllowedHosts
  readonly own: OwnService
  /** The resolver of the system if absent. */
  readonly resolve?: Resolve
}

const systemResolve: Resolve = async (host) =>
  new Promise((resolve, reject) => {
    dnsLookup(host, { all: true, verbatim: true }, (error, addresses) =>
      error ? reject(error) : resolve(addresses),
    )
  })

/**
 * Resolves a name once, checks every answer, and connects the socket to exactly that address: a name that would answer
 * differently the next time is not resolved again.
 */
export function vettedLookup(url: URL, guard: LookupGuard): LookupFunction {
  const isExempt =
    guard.origin !== 'customer' || isAllowedHost(guard.allowedHosts, url.hostname, portOf(url))
  const isFine = ({ address }: LookupAddress): boolean =>
    !(guard.origin === 'customer' && isClosed(urlAt(url, address), guard.own)) &&
    (isExempt || (isIP(address) !== 0 && isPublicAddress(address)))
  return (host, options, callback) => {
    const resolve = guard.resolve ?? systemResolve
    resolve(host).then(
      (addresses) => {
        const [first] = addresses
        if (!first || !addresses.every(isFine)) {
          callback(new AddressRefusedError('the address is not allowed'), '')
        } else if (options.all) callback(null, [...addresses])
        else callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    )
  }
}

/** Whether an address is one of the service's own, except links to files, which anyone with the link may read. */
export function isClosed(url: URL, own: OwnService): boolean {
  return isOurs(url, own) && !ourSource(url, own)
}

/** The same request to the resolved address: a name on the allow-list may stand for the service itself. */
function urlAt(url: URL, address: string): URL {
  const at = new URL(url)
  at.hostname = isIP(address) === 6 ? `[${address}]` : address
  return at
}
