import { uploadOpened } from '../../../worker/contract/direct-upload.ts'
import { send, type Answer, type Client } from './client.ts'

export const partBytes = 8 * 1024 * 1024

/** Bytes that begin as an MP4 does. */
export function mp4Bytes(size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size)
  bytes.set(new TextEncoder().encode('\0\0\0\x18ftypmp42\0\0\0\0mp42isom').subarray(0, size))
  return bytes
}

/** A picture of one pixel. */
export function pngBytes(): Uint8Array<ArrayBuffer> {
  const text =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
}

export type Opened = { uploadId: string; partSize: number; urls: string[]; expiresAt: string }

export async function openUpload(client: Client, sizeInBytes: number): Promise<Opened> {
  const body = { fileName: 'talk.mp4', sizeInBytes, contentType: 'video/mp4' }
  const answer = await client.post('/v1/uploads', body)
  if (answer.status !== 201) throw new Error(answer.text)
  const { uploadId, partSize, parts, expiresAt } = uploadOpened.parse(answer.json)
  return { uploadId, partSize, expiresAt, urls: parts.map(({ url }) => url) }
}

export async function putPart(
  url: string | undefined,
  body: Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const length = { 'Content-Length': String(body.length) }
  return send(new URL(url ?? '').pathname, {
    method: 'PUT',
    body,
    headers: { ...length, ...headers },
  })
}

/** An upload of one part that has arrived. */
export async function aReceivedUpload(
  client: Client,
  bytes: Uint8Array<ArrayBuffer> = mp4Bytes(5000),
): Promise<Opened> {
  const opened = await openUpload(client, bytes.length)
  const put = await putPart(opened.urls[0], bytes)
  if (put.status !== 200) throw new Error(put.text)
  return opened
}

export async function aReadyUpload(
  client: Client,
  bytes?: Uint8Array<ArrayBuffer>,
): Promise<Opened> {
  const opened = await aReceivedUpload(client, bytes)
  const answer = await client.post(`/v1/uploads/${opened.uploadId}/complete`)
  if (answer.status !== 200) throw new Error(answer.text)
  return opened
}
