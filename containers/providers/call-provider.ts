import { setTimeout as pause } from 'node:timers/promises'
import { ProviderFault, type ProviderFaultKind } from './provider-fault.ts'

export type ProviderCall = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Made anew for every try. */
  readonly body: () => Promise<string | FormData>
  /** Ends the call, its tries and the pauses between them. */
  readonly deadline: Deadline
  /** Before the second, third, … try. */
  readonly backoffMs?: readonly number[]
}

/** One for everything that belongs to one question. */
export type Deadline = {
  readonly signal: AbortSignal
  readonly at: number
  readonly ended: AbortSignal
}

export function deadlineIn(milliseconds: number, signal: AbortSignal): Deadline {
  const late = AbortSignal.timeout(milliseconds)
  const at = performance.now() + milliseconds
  return { at, signal: AbortSignal.any([signal, late]), ended: signal }
}

const defaultBackoffMs = [1_000, 3_000, 8_000]
/** An answer longer than this is not one. */
const maxAnswerBytes = 32 * 1024 * 1024

type Try =
  | { outcome: 'answered'; status: number; json: unknown }
  | { outcome: 'again'; kind: ProviderFaultKind; afterMs: number | undefined; cause: unknown }

/** Posts until there is an answer that is not "later": its status and JSON, which is undefined where there is none. */
export async function callProvider(call: ProviderCall): Promise<{ status: number; json: unknown }> {
  const { deadline } = call
  const pauses: readonly (number | undefined)[] = [
    ...(call.backoffMs ?? defaultBackoffMs),
    undefined,
  ]
  for (const pauseMs of pauses) {
    const tried = await tryOnce(call).catch((error: unknown) => faultOf(error, deadline))
    if (tried.outcome === 'answered') return tried
    const waitMs = Math.max(pauseMs ?? 0, tried.afterMs ?? 0)
    const isHopeless = pauseMs === undefined || performance.now() + waitMs >= deadline.at
    if (isHopeless) throw new ProviderFault(tried.kind, { cause: tried.cause })
    await pause(waitMs, undefined, { signal: deadline.signal }).catch((error: unknown) => {
      faultOf(error, deadline)
    })
  }
  throw new ProviderFault('unreachable')
}

async function tryOnce(call: ProviderCall): Promise<Try> {
  const { url, headers, deadline } = call
  const response = await fetch(url, {
    method: 'POST',
    headers,
    body: await call.body(),
    // An address of the owner's is asked, and no other.
    redirect: 'manual',
    signal: deadline.signal,
  })
  const { status } = response
  const text = await readText(response)
  if (status === 429 || status === 408 || status >= 500) {
    const afterMs = readRetryAfter(response.headers.get('Retry-After'), Date.now())
    const kind = status === 429 || status === 503 ? 'busy' : 'unreachable'
    return { outcome: 'again', kind, afterMs, cause: new Error(`answered ${status}`) }
  }
  const json = parseJson(text)
  if (response.ok && json === undefined) {
    const cause = new Error(`answered ${status} with ${text.length} characters that are no JSON`)
    return { outcome: 'again', kind: 'unreadable', afterMs: undefined, cause }
  }
  return { outcome: 'answered', status, json }
}

/** Throws what ends the call; everything else is worth another try. */
function faultOf(error: unknown, { ended, signal }: Deadline): Try {
  ended.throwIfAborted()
  if (signal.aborted) throw new ProviderFault('timed-out', { cause: error })
  if (error instanceof ProviderFault) throw error
  return { outcome: 'again', kind: 'unreachable', afterMs: undefined, cause: error }
}

async function readText(response: Response): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  if (!response.body) return ''
  const body: AsyncIterable<Uint8Array> = response.body
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > maxAnswerBytes) throw new ProviderFault('unreadable')
    chunks.push(Buffer.from(chunk))
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Seconds or a date. */
export function readRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  if (/^\d{1,9}(\.\d+)?$/.test(header.trim())) return Number(header) * 1_000
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/** What an answer that is neither good nor "later" means. */
export function refusalOf(status: number): ProviderFault {
  const cause = new Error(`answered ${status}`)
  if (status === 401 || status === 403) return new ProviderFault('key-refused', { cause })
  if (status === 413) return new ProviderFault('too-large', { cause })
  return new ProviderFault('refused', { cause })
}
