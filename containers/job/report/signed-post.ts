import { signatureHeader, signMessage } from '../../../worker/contract/job/signed-message.ts'

type SignedPost = { url: string; key: string; body: unknown; signal: AbortSignal }

/** Long enough for a Worker that starts and writes; a report that hangs must not delay the next one. */
const timeoutMs = 15_000

/** Sends JSON to the Worker, signed with the current time. */
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

/** The Worker no longer knows this job or fence: send it nothing more. */
export function isUnwanted(status: number): boolean {
  return [401, 403, 404, 409, 410].includes(status)
}
