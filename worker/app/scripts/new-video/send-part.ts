import type { ErrorBody } from '../../../contract/answers/error-body.ts'
import { ApiError, NoAnswer } from './call-api.ts'
import type { PartSending } from './upload.ts'

/** A connection that moves nothing for so long is given up and made again. */
const stalledMs = 30_000

/** Sends one part, and tells how much of it has gone, which fetch cannot. */
export async function sendPart(
  url: string,
  body: Blob,
  { signal, onSent }: PartSending,
): Promise<void> {
  // The address may name the service by another host than the page has.
  const { pathname } = new URL(url, location.href)
  const request = new XMLHttpRequest()
  let stalled: ReturnType<typeof setTimeout> | undefined
  const abort = () => request.abort()
  try {
    await new Promise<void>((resolve, reject) => {
      const watch = () => {
        clearTimeout(stalled)
        stalled = setTimeout(abort, stalledMs)
      }
      const fail = () => reject(new NoAnswer('The service was not reached'))
      request.upload.onprogress = ({ loaded }) => {
        watch()
        onSent(Math.min(loaded, body.size))
      }
      request.onload = () => {
        if (request.status < 300) resolve()
        else reject(new ApiError(request.status, bodyOf(request.responseText)))
      }
      request.onerror = fail
      request.onabort = fail
      signal.addEventListener('abort', abort)
      request.open('PUT', pathname)
      watch()
      request.send(body)
    })
  } finally {
    clearTimeout(stalled)
    signal.removeEventListener('abort', abort)
  }
}

function bodyOf(text: string): Partial<ErrorBody> {
  try {
    return JSON.parse(text) as Partial<ErrorBody>
  } catch {
    return {}
  }
}
