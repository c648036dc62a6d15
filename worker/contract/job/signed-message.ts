import { macOf, verifyMac } from '../keyed-hash.ts'

/**
 * The signature of jobs, reports and commands of the operator, in one header: HMAC-SHA256 over `<unix seconds>.<body>`,
 * written as `t=1795231260,v1=<hex>`. Webhooks are signed in `service/webhooks/sign-webhook.ts`.
 */
export const signatureHeader = 'Spool-Signature'

/** Allows for clocks of media workers that are off by minutes, and still makes a captured message expire. */
const toleranceSeconds = 600

/** The time from the first moment at which a signature can be valid to the last. */
export const signatureLifetimeMs = 2 * toleranceSeconds * 1000

export async function signMessage(secret: string, body: string, nowMs: number): Promise<string> {
  const timestamp = Math.floor(nowMs / 1000)
  return `t=${timestamp},v1=${await macOf(secret, `${timestamp}.${body}`)}`
}

export async function verifyMessage(
  secret: string,
  body: string,
  header: string | null | undefined,
  nowMs: number,
): Promise<boolean> {
  const match = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header ?? '')
  const [, timestamp, mac] = match ?? []
  if (timestamp === undefined || mac === undefined) return false
  if (Math.abs(nowMs / 1000 - Number(timestamp)) > toleranceSeconds) return false
  return verifyMac(secret, `${timestamp}.${body}`, mac)
}
