import { exchange } from '../../../../client/src/http/exchange.ts'

/** To look at a file that has just been sent may take the service a while. */
const timeoutMs = 300_000

type Call = {
  method?: string
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** Calls the API for who is signed in. Rejects with an error of the client, or because it was aborted. */
export async function callApi(path: string, call: Call = {}): Promise<unknown> {
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

/** Says something to people who cannot see it happen, when their screen reader pauses. */
export function announce(text: string): void {
  const announcer = document.querySelector('#announcer')
  if (announcer && announcer.textContent !== text) announcer.textContent = text
}
