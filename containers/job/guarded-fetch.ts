import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { hostFault } from '../../worker/contract/public-url.ts'
import { AddressRefusedError } from './address-refused-error.ts'
import { isClosed, vettedLookup, type LookupGuard } from './vetted-lookup.ts'

export type FetchGuard = LookupGuard & {
  readonly connectMs: number
  readonly idleMs: number
  readonly signal: AbortSignal
  /** Told of every address before it is asked. */
  readonly onHop?: (url: URL) => void
  /** Sent beside our own. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Nothing, or not everything, came back; another try may do better. */
export class NetworkFaultError extends Error {
  override name = 'NetworkFaultError'
}

const maxRedirects = 5
const ownHeaders = { 'Accept-Encoding': 'identity', Accept: '*/*', 'User-Agent': 'Spool/1' }
const redirectStatuses = [301, 302, 303, 307, 308]

/** Asks an address and follows its redirects, each vetted like the first. The body is not read. */
export async function guardedFetch(address: string, guard: FetchGuard): Promise<IncomingMessage> {
  let url = parseAddress(address)
  for (let hop = 0; hop <= maxRedirects; hop++) {
    vetUrl(url, guard)
    if (guard.origin === 'customer') guard.onHop?.(url)
    const response = await request(url, guard)
    // Our own storage has no reason to send us anywhere.
    const next = guard.origin !== 'customer' ? undefined : redirectTarget(response, url)
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
  if (guard.origin !== 'customer') return
  if (hostFault(url, guard.allowedHosts) !== undefined || isClosed(url, guard.own)) {
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
      headers: { ...ownHeaders, ...guard.headers },
    })
    const late = setTimeout(
      () => sent.destroy(new NetworkFaultError('the server could not be reached in time')),
      guard.connectMs,
    )
    const connected = url.protocol === 'https:' ? 'secureConnect' : 'connect'
    sent.once('socket', (socket) => socket.once(connected, () => clearTimeout(late)))
    let received: IncomingMessage | undefined
    sent.setTimeout(guard.idleMs, () => {
      const fault = new NetworkFaultError('the server fell silent')
      // Whoever reads the body must hear why it ends; a destroyed request would only reset it.
      ;(received ?? sent).destroy(fault)
    })
    sent.once('response', (response) => {
      clearTimeout(late)
      received = response
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
