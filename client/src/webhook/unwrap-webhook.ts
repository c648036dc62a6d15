import type { BatchEvent, WebhookEvent, WebhookTestEvent } from '../api-types.ts'
import { WebhookVerificationError } from '../errors.ts'

export type SpoolEvent = WebhookEvent | BatchEvent | WebhookTestEvent

/** As `Request`, Node and Express have them. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>

export type UnwrapOptions = {
  /** How far the time of a webhook may be from now; 300 when absent. */
  toleranceSeconds?: number | undefined
  /** In milliseconds since 1970, for tests. */
  now?: number | undefined
}

/** The event of a webhook that was signed with this secret, as Standard Webhooks specifies. */
export async function unwrapWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  { toleranceSeconds = 300, now = Date.now() }: UnwrapOptions = {},
): Promise<SpoolEvent> {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')
  if (!id || !timestamp || !signatures) throw refused('A webhook header is missing.')
  if (!/^\d{1,12}$/.test(timestamp)) throw refused('webhook-timestamp is not a number.')
  if (Math.abs(now / 1000 - Number(timestamp)) > toleranceSeconds) {
    throw refused('webhook-timestamp is too far from now.')
  }
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), bytes)
  const key = fromBase64(secret.replace(/^whsec_/, ''))
  if (!key || key.length === 0) throw refused('The secret is not valid.')
  if (!(await isSigned(signed, signatures, key))) throw refused('No signature is good.')
  return parseEvent(bytes)
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name)
  const value = entry?.[1]
  return Array.isArray(value) ? value[0] : value
}

async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  signatures: string,
  secret: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const subtle = await webCrypto()
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await subtle.importKey('raw', secret, algorithm, false, ['verify'])
  for (const signature of signatures.split(' ')) {
    const given = signature.startsWith('v1,') ? fromBase64(signature.slice(3)) : undefined
    // WebCrypto compares in constant time.
    if (given && (await subtle.verify('HMAC', key, given, signed))) return true
  }
  return false
}

/** Node 18 has it, but not as a global. */
async function webCrypto(): Promise<typeof crypto.subtle> {
  const found = (globalThis as { crypto?: typeof crypto }).crypto
  if (found) return found.subtle
  // oxlint-disable-next-line no-restricted-imports -- only when it is needed: elsewhere than in Node there is another one
  const { subtleCrypto } = await import('../node/web-crypto.ts')
  return subtleCrypto()
}

function parseEvent(bytes: Uint8Array): SpoolEvent {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as SpoolEvent
  } catch (error) {
    throw new WebhookVerificationError('The body is signed, but not JSON.', { cause: error })
  }
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
  } catch {
    // Not base64, so it is not the signature.
    return undefined
  }
}

function concat(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(head.length + tail.length)
  whole.set(head)
  whole.set(tail, head.length)
  return whole
}

function refused(message: string): WebhookVerificationError {
  return new WebhookVerificationError(message)
}
