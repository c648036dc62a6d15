import { limits } from '../../../../contract/limits.ts'
import { callApi } from '../../page/call-api.ts'
import type { Opened, UploadPorts, KnownUpload } from './upload.ts'

/** A connection that moves no bytes for this long is given up and opened again. */
const stalledMs = 30_000

/** The file's name as the API accepts it: disks allow longer names, with control characters in them. */
function nameOf({ name }: File): string {
  return name
    .slice(0, limits.videoNameLength)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '_')
}

/** Uploads over the API of the service. */
export const uploadPorts: UploadPorts = {
  open: async (file, signal) => {
    const body = {
      fileName: nameOf(file),
      sizeInBytes: file.size,
      // Only a plain media type: some systems add parameters, others give no type.
      ...(/^[\w.+-]+\/[\w.+-]+$/.test(file.type) ? { contentType: file.type } : {}),
    }
    return (await callApi('/uploads', { method: 'POST', body, signal })) as Opened
  },
  read: async (uploadId, signal) =>
    (await callApi(`/uploads/${uploadId}`, { signal })) as KnownUpload,
  complete: async (uploadId, signal) => {
    await callApi(`/uploads/${uploadId}/complete`, { method: 'POST', signal })
  },
  sendPart,
  isOnline: () => navigator.onLine,
  wait: async (ms, signal) =>
    new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        removeEventListener('online', end)
        signal.removeEventListener('abort', end)
        resolve()
      }
      const timer = setTimeout(end, ms)
      addEventListener('online', end)
      signal.addEventListener('abort', end)
    }),
  now: () => performance.now(),
}

/** Sends one part like `fetch`, and reports how much has been sent, which `fetch` cannot. */
async function sendPart(
  url: string,
  { body, signal }: RequestInit,
  onSent: (bytes: number) => void,
): Promise<Response> {
  // The address may name the service by another host than the page's.
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
