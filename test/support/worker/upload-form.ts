import type { Answer, Client } from './client.ts'
import { bindings } from './bindings.ts'

type Part = { name: string; content: Uint8Array | string; fileName?: string; headers?: string }

export const uploadPath = '/v1/videos/upload'
export const boundary = 'form-of-the-tests'

/** The first box of an MP4, followed by some bytes: enough for the service, but not playable. */
export const clip = joined([
  Uint8Array.of(0, 0, 0, 24),
  'ftypisom',
  Uint8Array.of(0, 0, 2, 0),
  'isommp41',
  Uint8Array.of(0, 0, 0, 24),
  'free0123456789abcdef',
])

export function aFile(content: Uint8Array | string = clip, fileName = 'talk.mp4'): Part {
  return { name: 'file', content, fileName }
}

export function aField(name: string, content: string): Part {
  return { name, content }
}

/** A form as a browser writes it. */
export function formOf(parts: readonly Part[]): Uint8Array<ArrayBuffer> {
  const pieces = parts.flatMap(({ name, content, fileName, headers = '' }) => {
    const file = fileName === undefined ? '' : `; filename="${fileName}"`
    const head = `Content-Disposition: form-data; name="${name}"${file}\r\n${headers}\r\n`
    return [`--${boundary}\r\n${head}`, content, '\r\n']
  })
  return joined([...pieces, `--${boundary}--\r\n`])
}

export function joined(pieces: readonly (Uint8Array | string)[]): Uint8Array<ArrayBuffer> {
  const all = pieces.map((piece) =>
    typeof piece === 'string' ? new TextEncoder().encode(piece) : piece,
  )
  const bytes = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of all) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}

type Body = Uint8Array<ArrayBuffer> | ReadableStream | string

export async function sendForm(
  client: Client,
  body: Body,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const type = `multipart/form-data; boundary=${boundary}`
  return client.send(uploadPath, {
    method: 'POST',
    body,
    headers: { 'Content-Type': type, ...headers },
  })
}

export async function upload(
  client: Client,
  parts: readonly Part[],
  headers: Record<string, string> = {},
): Promise<Answer> {
  return sendForm(client, formOf(parts), headers)
}

/** The objects under the prefix of uploads, and the rows of uploads: both are empty if nothing was left behind. */
export async function leftBehind(client: Client): Promise<{ rows: unknown[]; keys: string[] }> {
  const { results } = await bindings.DB.prepare(
    "SELECT id, status FROM uploads WHERE account_id = ? AND status <> 'used'",
  )
    .bind(client.accountId)
    .all()
  const used = bindings.DB.prepare("SELECT id FROM uploads WHERE status = 'used'")
  const ids = (await used.all<{ id: string }>()).results.map(({ id }) => id)
  const { objects } = await bindings.BUCKET.list({ prefix: 'uploads/' })
  const keys = objects.map(({ key }) => key).filter((key) => !ids.includes(key.split('/')[1] ?? ''))
  return { rows: results, keys }
}

export const nothing = { rows: [], keys: [] }
