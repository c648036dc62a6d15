import { exchange } from '../../../../client/src/http/exchange.ts'
import { write } from './write.ts'

/** The service may take a while to examine a file that has just been sent. */
const timeoutMs = 300_000

type ApiCall = {
  method?: string
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** Calls the API for the signed-in member. Rejects with an error of the client, or because it was aborted. */
export async function callApi(path: string, call: ApiCall = {}): Promise<unknown> {
  const { method = 'GET', body, headers = {}, signal } = call
  const { text } = await exchange(async (url, init) => fetch(url, init), {
    url: new URL(`/app/api${path}`, location.href).href,
    method,
    headers: body === undefined ? headers : { ...headers, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    timeoutMs,
    signal,
  })
  return text === '' ? undefined : (JSON.parse(text) as unknown)
}

/** Announces a text to screen readers when they pause, for people who cannot see the page change. */
export function announce(text: string): void {
  write('#announcer', text)
}
