import { signatureHeader, signMessage } from '../../worker/contract/signature.ts'

export type SignedPost = { url: string; key: string; body: unknown; signal: AbortSignal }

/** Long enough for a Worker that wakes up and writes; a report that hangs must not hold up the next. */
const timeoutMs = 15_000

/** Sends JSON to the Worker, signed at this moment. */
export async function signedPost({ url, key, body, signal }: SignedPost): Promise<Response> {
  const text = JSON.stringify(body)
  return fetch(url, {
    method: 'POST',
    body: text,
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    headers: {
      'Content-Type': 'application/json',
      [signatureHeader]: await signMessage(key, text, Date.now()),
    },
  })
}

/** The Worker knows this job or fence no longer: nothing more is to be said to it. */
export function isUnwanted(status: number): boolean {
  return [401, 403, 404, 409, 410].includes(status)
}
