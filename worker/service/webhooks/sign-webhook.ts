import type { VideoRecord } from '../../contract/video/video-record.ts'
import type { VideoEventType, WebhookEvent } from '../../contract/webhooks/webhook-event.ts'
import { timestamp } from '../videos/describe-video.ts'

const prefix = 'whsec_'
const encoder = new TextEncoder()

/** Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export function mintWebhookSecret(): string {
  return prefix + toBase64(crypto.getRandomValues(new Uint8Array(32)))
}

/**
 * Standard Webhooks: HMAC-SHA256 over `id.timestamp.body`, one signature for each secret. During a rotation there are
 * two secrets, and a receiver may know either of them.
 */
export async function signWebhook(
  secrets: readonly string[],
  { id, timestampSeconds, body }: { id: string; timestampSeconds: number; body: string },
): Promise<string> {
  const signed = encoder.encode(`${id}.${timestampSeconds}.${body}`)
  const signatures = secrets.map(async (secret) => {
    const key = await importSecret(secret)
    return `v1,${toBase64(new Uint8Array(await crypto.subtle.sign('HMAC', key, signed)))}`
  })
  return (await Promise.all(signatures)).join(' ')
}

async function importSecret(secret: string) {
  const encoded = secret.startsWith(prefix) ? secret.slice(prefix.length) : secret
  const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0))
  if (bytes.length === 0) throw new Error('a webhook secret is empty')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

/** The body of the webhook about the end of a video, byte for byte. */
export function webhookBody(type: VideoEventType, endedAt: number, data: VideoRecord): string {
  return JSON.stringify({ type, timestamp: timestamp(endedAt), data } satisfies WebhookEvent)
}
