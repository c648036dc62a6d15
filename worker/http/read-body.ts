import { AppError, invalidRequest } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import { parseJsonBody } from '../contract/read-json.ts'

/** An answer that leaves much of the body unread may never be read itself: the connection is reset under it. */
const drainBytes = 64 * 1024 * 1024

/** The text of a request body, never more of it than allowed. */
export async function readText(request: Request, maxBytes: number): Promise<string> {
  const declared = Number(request.headers.get('Content-Length') ?? 0)
  const chunks: Uint8Array[] = []
  let size = 0
  if (declared <= drainBytes) {
    const body: AsyncIterable<Uint8Array> | undefined = request.body ?? undefined
    for await (const chunk of body ?? []) {
      size += chunk.byteLength
      if (size <= maxBytes) chunks.push(chunk)
      else chunks.length = 0
      if (size > drainBytes) break
    }
  }
  if (size > maxBytes || declared > maxBytes) {
    throw new AppError('PayloadTooLarge', `The body may have at most ${maxBytes} bytes.`)
  }
  return decode(join(chunks, size))
}

function join(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw invalidRequest([{ field: 'body', message: 'Must be UTF-8 text' }])
  }
}

/** A JSON body as it was sent, unknown until a schema has seen it. */
export async function readJson(request: Request): Promise<unknown> {
  const type = request.headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (type !== 'application/json' && !/^application\/[a-z0-9.-]+\+json$/.test(type)) {
    const message = `Must be application/json${type === '' ? '' : `, not ${type.slice(0, 60)}`}`
    throw invalidRequest([{ field: 'Content-Type', message }])
  }
  const encoding = request.headers.get('Content-Encoding')?.trim().toLowerCase() ?? 'identity'
  if (encoding !== 'identity') {
    throw invalidRequest([
      { field: 'Content-Encoding', message: 'Must be absent; send plain JSON' },
    ])
  }
  const parsed = parseJsonBody(await readText(request, limits.jsonBodyBytes))
  if (!parsed.ok) throw invalidRequest([parsed.fault])
  return parsed.value
}
