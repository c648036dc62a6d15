import { hex } from '../keyed-hash.ts'
import { randomBase62 } from '../ids.ts'

const tokenLength = 43

/** 256 random bits for a cookie or a link. Only its hash is stored. */
export function mintToken(): string {
  return randomBase62(tokenLength)
}

export function looksLikeToken(text: string): boolean {
  return text.length === tokenLength && /^[0-9A-Za-z]+$/.test(text)
}

/** Secrets with this much chance in them need no salt and no slow hash. */
export async function hashSecret(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return hex(new Uint8Array(digest))
}
