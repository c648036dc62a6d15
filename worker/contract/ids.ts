import { z } from 'zod'
import { worded } from './answers/wording.ts'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Fills the array with random bytes; injected in tests. */
export type Randomness = (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>

const systemRandomness: Randomness = (bytes) => crypto.getRandomValues(bytes)

/** Draws bytes of 248 and above again: 256 is not a multiple of 62, so they would favour the first letters. */
export function randomBase62(length: number, random: Randomness = systemRandomness): string {
  let text = ''
  while (text.length < length) {
    for (const byte of random(new Uint8Array(length - text.length))) {
      if (byte < 248) text += base62.charAt(byte % 62)
    }
  }
  return text
}

export function toBase62(value: number, length: number): string {
  let text = ''
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62))
    text = base62.charAt(rest % 62) + text
  return text.padStart(length, '0')
}

const idLengths = {
  v: 8,
  j: 16,
  a: 12,
  k: 12,
  msg: 22,
  dlv: 16,
  u: 16,
  req: 16,
  p: 12,
  s: 12,
  i: 12,
  we: 16,
  b: 16,
} as const
/**
 * Ids carry their kind: `v_` video, `j_` job, `a_` account, `k_` key, `u_` upload, `msg_` webhook, `dlv_` delivery, `p_` person,
 * `s_` session, `i_` invitation, `we_` endpoint of webhooks, `b_` batch.
 */
export function mintId<Prefix extends keyof typeof idLengths>(
  prefix: Prefix,
  random?: Randomness,
): `${Prefix}_${string}` {
  return `${prefix}_${randomBase62(idLengths[prefix], random)}`
}

function idText(pattern: RegExp, is: string, what: string) {
  return worded(z.string().regex(pattern), is).describe(`Names ${what}: ${is}`)
}

export const videoId = idText(/^v_[0-9A-Za-z]{8}$/, 'v_ and 8 letters or digits', 'a video')
export const jobId = idText(/^j_[0-9A-Za-z]{1,64}$/, 'j_ and letters or digits', 'a job')
/** For commands that accept either id, because every video has exactly one job. */
export const jobOrVideoId = worded(
  z.string().regex(/^(j_[0-9A-Za-z]{1,64}|v_[0-9A-Za-z]{8})$/),
  'the id of a job or of a video: j_… or v_…',
)
export const batchId = idText(/^b_[0-9A-Za-z]{1,64}$/, 'b_ and letters or digits', 'a batch')
export const uploadId = idText(/^u_[0-9A-Za-z]{1,64}$/, 'u_ and letters or digits', 'an upload')
export const keyId = idText(/^k_[0-9A-Za-z]{1,64}$/, 'k_ and letters or digits', 'an API key')
export const webhookEndpointId = idText(
  /^we_[0-9A-Za-z]{1,64}$/,
  'we_ and letters or digits',
  'an endpoint of webhooks',
)
export const deliveryId = idText(
  /^dlv_[0-9A-Za-z]{1,64}$/,
  'dlv_ and letters or digits',
  'a delivery',
)
