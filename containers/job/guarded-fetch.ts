import { lookup as dnsLookup, type LookupAddress } from 'node:dns'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import {
  hostFault,
  isAllowedHost,
  isPublicAddress,
  type AllowedHosts,
} from '../../worker/contract/public-url.ts'

export type Resolve = (host: string) => Promise<readonly LookupAddress[]>

export type FetchGuard = {
  /** `storage` addresses are our own: they are not vetted. */
  readonly origin: 'customer' | 'storage'
  readonly allowedHosts: AllowedHosts
  readonly connectMs: number
  readonly idleMs: number
  readonly signal: AbortSignal
  /** The system's resolver when absent. */
  readonly resolve?: Resolve
}

/** The address must not be asked at all; the message says no more than the customer already knows. */
export class AddressRefusedError extends Error {
  override name = 'AddressRefusedError'
}

/** Nothing, or not everything, came back; another try may do better. */
export class NetworkFaultError extends Error {
  override name = 'NetworkFaultError'
}

const maxRedirects = 5
const redirectStatuses = [301, 302, 303, 307, 308]

/** Asks an address and follows its redirects, each vetted like the first. The body is not read. */
export async function guardedFetch(address: string, guard: FetchGuard): Promise<IncomingMessage> {
  let url = parseAddress(address)
  for (let hop = 0; hop <= maxRedirects; hop++) {
    vetUrl(url, guard)
    const response = await request(url, guard)
    const next = redirectTarget(response, url)
    if (next === undefined) return response
    response.destroy()
    url = next
  }
  throw new AddressRefusedError(`it redirects more than ${maxRedirects} times`)
}

function parseAddress(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href)
  if (!url) throw new AddressRefusedError('it leads to something that is no address')
  return url
}

function redirectTarget(response: IncomingMessage, from: URL): URL | undefined {
  const { location } = response.headers
  if (!redirectStatuses.includes(response.statusCode ?? 0) || location === undefined)
    return undefined
  const to = parseAddress(location, from)
  if (from.protocol === 'https:' && to.protocol === 'http:') {
    response.destroy()
    throw new AddressRefusedError('it redirects from https to http')
  }
  return to
}

function vetUrl(url: URL, guard: FetchGuard): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new AddressRefusedError('it leads to an address that is neither http nor https')
  }
  if (url.username !== '' || url.password !== '') {
    throw new AddressRefusedError('it leads to an address with a user name or password')
  }
  if (guard.origin === 'customer' && hostFault(url, guard.allowedHosts) !== undefined) {
    throw new AddressRefusedError('the address is not allowed')
  }
}

async function request(url: URL, guard: FetchGuard): Promise<IncomingMessage> {
  const client = url.protocol === 'https:' ? https : http
  return new Promise((resolve, reject) => {
    const sent = client.get(url, {
      // A connection of its own: a pooled one would have been vetted for another name.
      agent: false,
      lookup: vettedLookup(url, guard),
      signal: guard.signal,
      headers: { 'Accept-Encoding': 'identity', Accept: '*/*', 'User-Agent': 'Spool/1' },
    })
    const late = setTimeout(
      () => sent.destroy(new NetworkFaultError('the server could not be reached in time')),
      guard.connectMs,
    )
    const connected = url.protocol === 'https:' ? 'secureConnect' : 'connect'
    sent.once('socket', (socket) => socket.once(connected, () => clearTimeout(late)))
    sent.setTimeout(guard.idleMs, () =>
      sent.destroy(new NetworkFaultError('the server fell silent')),
    )
    sent.once('response', (response) => {
      clearTimeout(late)
      resolve(response)
    })
    sent.once('error', (error) => {
      clearTimeout(late)
      reject(asFetchError(error, guard.signal))
    })
  })
}

/** Errors of the socket name addresses and ports: they go into `cause` only. */
export function asFetchError(error: unknown, signal: AbortSignal): Error {
  if (signal.aborted && signal.reason instanceof Error) return signal.reason
  if (error instanceof AddressRefusedError || error instanceof NetworkFaultError) return error
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const isUnknownName = code === 'ENOTFOUND' || code === 'EAI_AGAIN'
  const text = isUnknownName ? 'its host name is not known' : 'the connection failed'
  return new NetworkFaultError(text, { cause: error })
}

const systemResolve: Resolve = async (host) =>
  new Promise((resolve, reject) => {
    dnsLookup(host, { all: true, verbatim: true }, (error, addresses) =>
      error ? reject(error) : resolve(addresses),
    )
  })

/**
 * Resolves once, checks every answer, and hands the socket exactly what was checked: a name that answers differently
 * the next time is not asked a next time.
 */
function vettedLookup(url: URL, guard: FetchGuard): LookupFunction {
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  const isExempt =
    guard.origin === 'storage' || isAllowedHost(guard.allowedHosts, url.hostname, port)
  const isFine = ({ address }: LookupAddress): boolean =>
    isExempt || (isIP(address) !== 0 && isPublicAddress(address))
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
