import { jsonOf } from '../../worker/contract/input/parse-input.ts'
import { readRetryAfter } from '../../worker/contract/answers/retry-after.ts'
import { retried } from '../errors/retried.ts'
import { ProviderFault, type ProviderFaultKind } from './provider-fault.ts'

export type ProviderCall = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Makes a new body for every try; without a body, the address is read (`GET`). */
  readonly body?: () => Promise<string | FormData | Blob>
  /** Ends the call, its tries and the pauses between them. */
  readonly deadline: CallDeadline
  /** Pauses before the second, third, … try. */
  readonly backoffMs?: readonly number[]
}

/** How long to wait for a provider. */
export type Patience = {
  readonly timeoutSeconds: number
  /** Pauses before the second, third, … try. */
  readonly backoffMs?: readonly number[]
}

/** A provider with a key, and one of Cloudflare. */
export type KeyedSettings = Patience & {
  readonly baseUrl: string
  readonly apiKey: string | undefined
  readonly model: string
}
export type CloudflareSettings = Omit<KeyedSettings, 'apiKey'> & {
  readonly accountId: string | undefined
  readonly apiToken: string | undefined
}

/** One deadline for all calls that belong to one question. */
export type CallDeadline = {
  readonly signal: AbortSignal
  readonly at: number
  readonly ended: AbortSignal
}

export function deadlineIn(milliseconds: number, signal: AbortSignal): CallDeadline {
  const late = AbortSignal.timeout(milliseconds)
  const at = performance.now() + milliseconds
  return { at, signal: AbortSignal.any([signal, late]), ended: signal }
}

const defaultBackoffMs = [1_000, 3_000, 8_000]
/** A longer answer is rejected. */
const maxAnswerBytes = 32 * 1024 * 1024

type ProviderAnswer = { status: number; json: unknown }

/** An answer that says "later", with the earliest time for the next try. */
class NotYet extends Error {
  readonly kind: ProviderFaultKind
  readonly afterMs: number

  constructor(kind: ProviderFaultKind, message: string, afterMs = 0) {
    super(message)
    this.kind = kind
    this.afterMs = afterMs
  }
}

/** Sends one body after another until the provider accepts one: a server or model refuses a form that it does not know. */
export async function firstTaken(
  call: Omit<ProviderCall, 'body'>,
  bodies: readonly NonNullable<ProviderCall['body']>[] | undefined,
): Promise<unknown> {
  let refused = 400
  for (const body of bodies ?? [undefined]) {
    const { status, json } = await callProvider({ ...call, ...(body && { body }) })
    if (status >= 200 && status < 300) return json
    refused = status
    if (status !== 400 && status !== 422) break
  }
  throw refusalOf(refused)
}

/** Calls until the answer is not "try again later"; returns its status and its JSON, which may be undefined. */
async function callProvider(call: ProviderCall): Promise<ProviderAnswer> {
  const { deadline, backoffMs: pausesMs = defaultBackoffMs } = call
  const { ended, signal, at } = deadline
  const waitAfter = (error: unknown, pauseMs: number | undefined): number => {
    ended.throwIfAborted()
    if (signal.aborted) throw new ProviderFault('timed-out', { cause: error })
    if (error instanceof ProviderFault) throw error
    const { kind, afterMs } = error instanceof NotYet ? error : lost
    const waitMs = Math.max(pauseMs ?? 0, afterMs)
    const isHopeless = pauseMs === undefined || performance.now() + waitMs >= at
    if (isHopeless) throw new ProviderFault(kind, { cause: error })
    return waitMs
  }
  return retried({ pausesMs, signal, waitAfter }, async () => tryOnce(call))
}

/** The message for a call that got no answer. */
const lost = { kind: 'unreachable', afterMs: 0 } as const

async function tryOnce(call: ProviderCall): Promise<ProviderAnswer> {
  const { url, headers, deadline } = call
  const response = await fetch(url, {
    headers,
    ...(call.body ? { method: 'POST', body: await call.body() } : { method: 'GET' }),
    // Ask only the address that the operator set.
    redirect: 'manual',
    signal: deadline.signal,
  })
  const { status } = response
  const text = await readText(response)
  if (status === 429 || status === 408 || status >= 500) {
    const afterMs = readRetryAfter(response.headers.get('Retry-After'), Date.now())
    const kind = status === 429 || status === 503 ? 'busy' : 'unreachable'
    throw new NotYet(kind, `answered ${status}`, afterMs)
  }
  const json = jsonOf(text)
  if (response.ok && json === undefined) {
    const what = `answered ${status} with ${text.length} characters that are not JSON`
    throw new NotYet('unreadable', what)
  }
  return { status, json }
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

/** The fault for an answer that is neither a success nor "try again later". */
function refusalOf(status: number): ProviderFault {
  const cause = new Error(`answered ${status}`)
  if (status === 401 || status === 403) return new ProviderFault('key-refused', { cause })
  if (status === 413) return new ProviderFault('too-large', { cause })
  return new ProviderFault('refused', { cause })
}
