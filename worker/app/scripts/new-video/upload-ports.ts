import { limits } from '../../../contract/limits.ts'
import { callApi } from './call-api.ts'
import { sendPart } from './send-part.ts'
import type { Opened, UploadPorts, UploadRecord } from './upload.ts'

/** As the API takes names; disks take longer ones, and control characters in them. */
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
      // Only what the API takes: some systems add parameters or nothing at all.
      ...(/^[\w.+-]+\/[\w.+-]+$/.test(file.type) ? { contentType: file.type } : {}),
    }
    return (await callApi('/uploads', { method: 'POST', body, signal })) as Opened
  },
  read: async (uploadId, signal) =>
    (await callApi(`/uploads/${uploadId}`, { signal })) as UploadRecord,
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
