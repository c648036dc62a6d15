import type { RunningService } from './service.ts'

const pieceBytes = 1024 * 1024

/** Uploads a file as a browser does and returns the answer, or undefined if the connection broke. */
export async function uploadForm(
  service: RunningService,
  file: Uint8Array<ArrayBuffer>,
  fields: Record<string, string>,
): Promise<Response | undefined> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', new File([file], 'talk.mp4', { type: 'video/mp4' }))
  const encoded = new Response(form)
  const bytes = await encoded.bytes()
  let at = 0
  const body = new ReadableStream({
    pull(controller) {
      const next = Math.min(at + pieceBytes, bytes.length)
      controller.enqueue(bytes.subarray(at, next))
      at = next
      if (at === bytes.length) controller.close()
    },
  })
  const headers = { 'Content-Type': encoded.headers.get('Content-Type') ?? '' }
  const init: RequestInit = { method: 'POST', headers, body, duplex: 'half' }
  return service.request('/v1/videos/upload', init).catch(() => undefined)
}
