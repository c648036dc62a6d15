import { createHmac } from 'node:crypto'
import { UsageError } from '../session/command-error.ts'
import { Deadline } from '../../http/timing.ts'

export type Forwarded = { status: number | undefined; durationMs: number; error?: string }

/** As long as a webhook waits for an answer. */
const answerMs = 15_000

/** What a webhook of the service would be: the same body and headers, signed at this moment. */
export async function forwardEvent(
  url: string,
  { webhookId, body }: { webhookId: string; body: string },
  secrets: readonly string[],
  signal: AbortSignal,
): Promise<Forwarded> {
  const startedAt = Date.now()
  const since = () => Date.now() - startedAt
  const deadline = new Deadline(url, signal)
  deadline.set(answerMs)
  try {
    const headers = signedHeaders({ webhookId, body }, secrets, startedAt)
    const request = {
      method: 'POST',
      body,
      headers,
      redirect: 'manual',
      signal: deadline.signal,
    } as const
    const response = await fetch(url, request)
    await response.body?.cancel()
    return { status: response.status, durationMs: since() }
  } catch (error) {
    signal.throwIfAborted()
    const why = deadline.signal.aborted ? `no answer within ${answerMs / 1000} s` : causeOf(error)
    return { status: undefined, durationMs: since(), error: why }
  } finally {
    deadline.clear()
  }
}

function signedHeaders(
  { webhookId, body }: { webhookId: string; body: string },
  secrets: readonly string[],
  nowMs: number,
): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    return `v1,${createHmac('sha256', key).update(`${webhookId}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Spool-Webhooks/1',
    'webhook-id': webhookId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}

/** `3000`, `3000/hooks`, `localhost:3000/hooks` and whole addresses. */
export function localAddress(text: string): string {
  const whole = /^\d+(\/|$)/.test(text) ? `http://127.0.0.1:${text}` : text
  const address = /^[a-z]+:\/\//i.test(whole) ? whole : `http://${whole}`
  try {
    const { protocol, href } = new URL(address)
    if (protocol === 'http:' || protocol === 'https:') return href
  } catch {
    // Said below, like every other address that cannot be called.
  }
  throw new UsageError(`--forward cannot be "${text}".`, [
    'An example: --forward 127.0.0.1:3000/hooks',
  ])
}

function causeOf(error: unknown): string {
  const { cause } = error as { cause?: unknown }
  if (cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED') {
    return 'nothing listens there'
  }
  if (cause instanceof Error) return cause.message
  return error instanceof Error ? error.message : String(error)
}
