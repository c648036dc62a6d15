import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { hostFault } from '../../../worker/contract/addresses/public-url.ts'
import { isClosed, vettedLookup, type LookupGuard, AddressRefusedError } from './vetted-lookup.ts'
import { codeOf } from '../../errors/code-of.ts'

export type FetchGuard = LookupGuard & {
  readonly connectMs: number
  readonly idleMs: number
  readonly signal: AbortSignal
  /** Called with every address before it is requested. */
  readonly onHop?: (url: URL) => void
  /** Sent in addition to our own headers. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The answer is missing or incomplete; another try may succeed. */
export class NetworkFaultError extends Error {
  override name = 'NetworkFaultError'
}

const maxRedirects = 5
const ownHeaders = { 'Accept-Encoding': 'identity', Accept: '*/*', 'User-Agent': 'Spool/1' }
const redirectStatuses = [301, 302, 303, 307, 308]

/** Requests an address and follows its redirects, each checked like the first one. It does not read the body. */
export async function guardedFetch(address: string, guard: FetchGuard): Promise<IncomingMessage> {
  let url = parseAddress(address)
  for (let hop = 0; hop <= maxRedirects; hop++) {
    vetUrl(url, guard)
    if (guard.origin === 'customer') guard.onHop?.(url)
    const response = await request(url, guard)
    // The service's own storage never redirects.
    const next = guard.origin !== 'customer' ? undefined : redirectTarget(response, url)
    if (next === undefined) return response
    response.destroy()
    url = next
  }
  throw new AddressRefusedError(`it redirects more than ${maxRedirects} times`)
}

function parseAddress(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href)
  if (!url) throw new AddressRefusedError('it leads to something that is not an address')
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
      // Use a new connection: a pooled one would have been checked for another name.
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
      // The reader of the body must receive the reason; destroying only the request would look like a reset connection.
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

/** Socket errors contain addresses and ports, so they go into `cause` only. */
export function asFetchError(error: unknown, signal: AbortSignal): Error {
  if (signal.aborted && signal.reason instanceof Error) return signal.reason
  if (error instanceof AddressRefusedError || error instanceof NetworkFaultError) return error
  const code = codeOf(error)
  const isUnknownName = code === 'ENOTFOUND' || code === 'EAI_AGAIN'
  const text = isUnknownName ? 'its host name is not known' : 'the connection failed'
  return new NetworkFaultError(text, { cause: error })
}
