/** A connection that moves nothing for so long is given up and made again. */
const stalledMs = 30_000

/** Sends one part like `fetch`, and tells how much of it has gone, which fetch cannot. */
export async function sendPart(
  url: string,
  { body, signal }: RequestInit,
  onSent: (bytes: number) => void,
): Promise<Response> {
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
      const fail = () => reject(new TypeError('The connection broke'))
      request.upload.onprogress = ({ loaded }) => {
        watch()
        onSent(loaded)
      }
      request.onload = () => resolve()
      request.onerror = fail
      request.onabort = fail
      signal?.addEventListener('abort', abort)
      request.open('PUT', pathname)
      watch()
      request.send(body as Blob)
    })
  } finally {
    clearTimeout(stalled)
    signal?.removeEventListener('abort', abort)
  }
  const retryAfter = request.getResponseHeader('Retry-After')
  const headers: HeadersInit = retryAfter === null ? {} : { 'Retry-After': retryAfter }
  return new Response(request.responseText || null, { status: request.status, headers })
}
