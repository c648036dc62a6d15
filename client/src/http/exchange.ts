import { ConnectionError, SpoolError } from '../errors.ts'
import { readError } from './read-error.ts'
import { Deadline } from './timing.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** One request as it goes over the line. */
export type Outgoing = {
  url: string
  method: string
  headers: Record<string, string>
  body?: RequestInit['body']
  /** How long the whole answer may take. */
  timeoutMs: number
  signal: AbortSignal | undefined
}

export type Received = { status: number; headers: Headers; text: string }

/** Sends a request once and reads its whole answer. Throws an ApiError for an answer that is an error. */
export async function exchange(fetch: Fetch, outgoing: Outgoing): Promise<Received> {
  const deadline = new Deadline(nameOf(outgoing), outgoing.signal)
  deadline.set(outgoing.timeoutMs)
  try {
    const response = await begin(fetch, outgoing, deadline)
    const { status, headers } = response
    return { status, headers, text: await response.text() }
  } catch (error) {
    throw explain(error, outgoing, deadline)
  } finally {
    deadline.clear()
  }
}

/** Like `exchange`, but leaves the body unread; the deadline stays with the caller. */
export async function openExchange(
  fetch: Fetch,
  outgoing: Outgoing,
  deadline: Deadline,
): Promise<Response> {
  deadline.set(outgoing.timeoutMs)
  try {
    return await begin(fetch, outgoing, deadline)
  } catch (error) {
    throw explain(error, outgoing, deadline)
  }
}

function nameOf({ method, url }: Pick<Outgoing, 'method' | 'url'>): string {
  // The address of a part is a permission, and does not belong in a log.
  return `${method} ${new URL(url).pathname.replace(/^(.*\/parts\/).*/, '$1…')}`
}

async function begin(fetch: Fetch, outgoing: Outgoing, deadline: Deadline): Promise<Response> {
  const { url, method, headers, body } = outgoing
  deadline.signal.throwIfAborted()
  const response = await fetch(url, {
    method,
    headers,
    signal: deadline.signal,
    // A redirect would silently turn a POST into a GET.
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
    // Node asks for it where the body is a stream; the type of RequestInit does not know it yet.
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  })
  if (response.ok) return response
  throw await readError(response, nameOf(outgoing), url)
}

/** What is thrown instead of what `fetch` threw: runtimes differ in what that is. */
function explain(error: unknown, outgoing: Outgoing, deadline: Deadline): unknown {
  if (outgoing.signal?.aborted) return outgoing.signal.reason
  if (deadline.signal.aborted) return deadline.signal.reason
  if (error instanceof SpoolError) return error
  const { host } = new URL(outgoing.url)
  return new ConnectionError(`${nameOf(outgoing)}: no answer from ${host}: ${causeOf(error)}`, {
    cause: error,
  })
}

/** Node says only "fetch failed", and has the reason in the cause. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  const code = 'code' in cause ? String(cause.code) : ''
  return [cause.message, code].find((text) => text !== '') ?? error.message
}
