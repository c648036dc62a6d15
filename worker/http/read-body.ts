import { AppError, invalidRequest } from '../contract/answers/errors.ts'
import { limits } from '../contract/limits.ts'
import { parseJsonBody } from '../contract/input/read-json.ts'
import { drainBytes, letAnswerPass } from '../upload/drain.ts'
import { PacedSource } from '../upload/paced-source.ts'
import { decodeText } from '../upload/parse-form.ts'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from './app-env.ts'
import { parseInput, requireParsed } from '../contract/input/parse-input.ts'
import { type z } from 'zod'

const pieceBytes = 16 * 1024

/** Reads the text of a request body, never more of it than allowed. */
export async function readText(request: Request, maxBytes: number): Promise<string> {
  const declared = Number(request.headers.get('Content-Length') ?? 0)
  const chunks: Uint8Array[] = []
  let size = 0
  if (declared <= drainBytes) {
    for await (const chunk of arrivingBytes(request, declared)) {
      size += chunk.byteLength
      if (size <= maxBytes) chunks.push(chunk)
      else chunks.length = 0
      if (size > drainBytes) break
    }
  }
  if (size > maxBytes || declared > maxBytes) {
    throw new AppError('PayloadTooLarge', `The body may have at most ${maxBytes} bytes.`)
  }
  return decodeText('body', join(chunks, size))
}

/**
 * Yields the body as it arrives, at the pace that every body has to keep. If the length was declared, the end is known
 * without another read.
 */
async function* arrivingBytes({ body }: Request, declared: number): AsyncGenerator<Uint8Array> {
  if (!body) return
  const reader = body.getReader({ mode: 'byob' })
  const source = new PacedSource(reader)
  let left = declared > 0 ? declared : Infinity
  let ended = false
  try {
    while (!ended) {
      const bytes = Math.min(pieceBytes, left)
      const { done, value } = await source.readAtLeast(bytes, new Uint8Array(bytes))
      left -= value?.byteLength ?? 0
      ended = done || left === 0
      if (value) yield value
    }
  } finally {
    if (!ended) await letAnswerPass(reader)
  }
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

/**
 * Reads a JSON body, which a schema has yet to check. `formGoesTo` is the endpoint to name to a client that sends a
 * form by mistake.
 */
export async function readJson(
  request: Request,
  formGoesTo?: string,
  maxBytes: number = limits.jsonBodyBytes,
): Promise<unknown> {
  const type = request.headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (type !== 'application/json' && !/^application\/[a-z0-9.-]+\+json$/.test(type)) {
    const found = type === '' ? '' : `, not ${type.slice(0, 60)}`
    const message = `Must be application/json${found}${adviseOn(type, formGoesTo)}`
    throw invalidRequest([{ field: 'Content-Type', message }])
  }
  const encoding = request.headers.get('Content-Encoding')?.trim().toLowerCase() ?? 'identity'
  if (encoding !== 'identity') {
    throw invalidRequest([
      { field: 'Content-Encoding', message: 'Must be absent; send plain JSON' },
    ])
  }
  const parsed = parseJsonBody(await readText(request, maxBytes))
  if (!parsed.ok) throw invalidRequest([parsed.fault])
  return parsed.value
}

/** The same, as its schema parses it; otherwise an error that lists every fault. */
export async function readInput<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
  formGoesTo?: string,
): Promise<z.output<Schema>> {
  return requireParsed(parseInput(schema, await readJson(request, formGoesTo)))
}

/** Advice for the two usual mistakes: sending a file where its address belongs, and curl without a Content-Type. */
function adviseOn(type: string, formGoesTo: string | undefined): string {
  if (type === 'multipart/form-data' && formGoesTo !== undefined) {
    return `; send a file to ${formGoesTo}`
  }
  if (type === 'application/x-www-form-urlencoded') {
    return "; curl -d needs -H 'Content-Type: application/json'"
  }
  return ''
}

/**
 * Lets a client read its answer even if its body was not read, as with a wrong key, whether the rest of the body comes
 * or not.
 */
export const passUnreadBody = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  const { body, bodyUsed } = c.req.raw
  if (body && !bodyUsed && !body.locked) await letAnswerPass(body.getReader({ mode: 'byob' }))
})
