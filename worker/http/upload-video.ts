import type { Context } from 'hono'
import { invalidRequest } from '../contract/errors.ts'
import { addressFaults } from '../contract/address-faults.ts'
import { readSettings } from '../settings.ts'
import type { ByteSource } from '../upload/byte-window.ts'
import { drain, drainBytes, drainMs, letAnswerPass, patience } from '../upload/drain.ts'
import { readFormBoundary } from '../upload/form-boundary.ts'
import { PacedSource } from '../upload/paced-source.ts'
import { malformed } from '../upload/part-headers.ts'
import { tooLarge } from '../upload/receive-form.ts'
import { takeUpload, type Upload } from '../upload/take-upload.ts'
import { addressPolicy } from '../service/address-policy.ts'
import type { AppEnv } from './app-env.ts'
import { readIdempotencyScope } from './idempotency-key.ts'
import { answerAccepted } from './answer-accepted.ts'

/** What a form may have beside its file: the text of its fields, and the headers of its parts. */
const formBytes = 4 * 1024 * 1024

/** POST /v1/videos/upload */
export async function uploadVideo(c: Context<AppEnv>): Promise<Response> {
  const { maxUploadBytes } = readSettings(c.env)
  const declaredBytes = Number(c.req.header('Content-Length') ?? 0)
  // What is known to be too much is not looked at; but a client that sends it all the same shall read why.
  if (declaredBytes > maxUploadBytes + formBytes) {
    await letAnswerPass(openBody(c.req.raw), { ...patience, totalMs: 60_000 })
    throw tooLarge(maxUploadBytes)
  }
  const { upload, body } = readUpload(c)
  const work = takeUpload(c.env, upload)
  // A client that leaves takes its request with it, but not what has to be put away.
  c.executionCtx.waitUntil(work.catch(() => undefined))
  try {
    return answerAccepted(c, await work)
  } finally {
    await drainFor(drainMs, body)
    await letAnswerPass(body)
  }
}

async function drainFor(milliseconds: number, source: ByteSource): Promise<void> {
  let timer: number | null = null
  const timeUp = new Promise((resolve) => (timer = setTimeout(resolve, milliseconds)))
  try {
    await drain(source, { bytes: drainBytes, timeUp })
  } finally {
    clearTimeout(timer)
  }
}

function readUpload(c: Context<AppEnv>): { upload: Upload; body: ReadableStreamBYOBReader } {
  const settings = readSettings(c.env)
  const policy = addressPolicy(settings)
  const boundary = readFormBoundary(c.req.header('Content-Type') ?? null)
  const encoding = c.req.header('Content-Encoding')?.trim().toLowerCase() ?? 'identity'
  if (encoding !== 'identity') {
    const message = 'Must be absent; send the form as it is'
    throw invalidRequest([{ field: 'Content-Encoding', message }])
  }
  const accountId = c.var.caller.accountId
  const scope = readIdempotencyScope(c, 'POST /v1/videos/upload')
  const body = openBody(c.req.raw)
  const upload = {
    accountId,
    scope,
    source: new PacedSource(body),
    boundary,
    maxFileBytes: settings.maxUploadBytes,
    check: (fields) => addressFaults(fields, policy),
  } satisfies Upload
  return { upload, body }
}

function openBody({ body }: Request): ReadableStreamBYOBReader {
  if (!body) throw malformed('Must not be empty')
  return body.getReader({ mode: 'byob' })
}
