import type { Context } from 'hono'
import { invalidRequest, type AppError } from '../../contract/answers/errors.ts'
import { addressFaults } from '../../contract/addresses/address-faults.ts'
import { readSettings } from '../../settings.ts'
import type { ByteSource } from '../../upload/byte-window.ts'
import { drain, drainBytes, drainMs, letAnswerPass, patience } from '../../upload/drain.ts'
import { readFormBoundary } from '../../upload/form-boundary.ts'
import { PacedSource } from '../../upload/paced-source.ts'
import { malformed } from '../../upload/part-headers.ts'
import { tooLarge } from '../../upload/receive-form.ts'
import { takeUpload, type FormUpload } from '../../upload/take-upload.ts'
import { awaitMemory, memoryOf, uploadMemory, type Hold } from '../../upload/upload-memory.ts'
import { addressPolicy } from '../../service/limits/address-policy.ts'
import { applyPreset } from '../../service/videos/apply-preset.ts'
import { namedFaults } from '../../service/videos/judge-named.ts'
import type { AppEnv } from '../app-env.ts'
import { readIdempotencyScope } from '../guard/idempotency-key.ts'
import { answerAccepted } from './create-video.ts'

/** The most that a form may have besides its file: the text of its fields, and the headers of its parts. */
const formBytes = 4 * 1024 * 1024

/** POST /v1/videos/upload */
export async function uploadVideo(c: Context<AppEnv>): Promise<Response> {
  const { maxUploadBytes } = readSettings(c.env)
  const declaredBytes = Number(c.req.header('Content-Length') ?? 0)
  // Let clients that are still sending receive the 413.
  if (declaredBytes > maxUploadBytes + formBytes) {
    await letAnswerPass(openBody(c.req.raw), { ...patience, totalMs: 60_000 })
    throw tooLarge(maxUploadBytes)
  }
  const { boundary, scope } = readHead(c)
  const accountId = c.get('caller').accountId
  const bytes = memoryOf(declaredBytes > 0 ? declaredBytes : undefined)
  const hold = await awaitMemory(uploadMemory, { accountId, bytes })
  const body = openBody(c.req.raw)
  const work = takeUpload(
    c.env,
    uploadOf(c, { boundary, scope, body, hold, declaredBytes }),
  ).finally(hold.release)
  // When a client leaves, its request ends, but what was stored still has to be cleaned up.
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

/** Checks everything that can be checked before the body is read. */
function readHead(c: Context<AppEnv>) {
  const boundary = readFormBoundary(c.req.header('Content-Type') ?? null)
  const encoding = c.req.header('Content-Encoding')?.trim().toLowerCase() ?? 'identity'
  if (encoding !== 'identity') {
    const message = 'Must be absent; send the form as it is'
    throw invalidRequest([{ field: 'Content-Encoding', message }])
  }
  if (!c.req.raw.body) throw noBody()
  return { boundary, scope: readIdempotencyScope(c, 'POST /v1/videos/upload') }
}

type OpenedForm = Pick<FormUpload, 'boundary' | 'scope' | 'declaredBytes'> & {
  body: ByteSource
  hold: Hold
}

function uploadOf(
  c: Context<AppEnv>,
  { boundary, scope, body, hold, declaredBytes }: OpenedForm,
): FormUpload {
  const settings = readSettings(c.env)
  const policy = addressPolicy(settings)
  const { accountId } = c.get('caller')
  return {
    accountId,
    scope,
    declaredBytes,
    source: heldBy(hold, new PacedSource(body)),
    boundary,
    maxFileBytes: settings.maxUploadBytes,
    rules: {
      fill: async (fields) => applyPreset(c.env, accountId, fields),
      check: (fields) => addressFaults(fields, policy),
      judge: async (options) => namedFaults(c.env, accountId, options),
    },
  }
}

function heldBy(hold: Hold, source: ByteSource): ByteSource {
  return {
    async readAtLeast(minBytes, view) {
      hold.keep(Date.now())
      return source.readAtLeast(minBytes, view)
    },
  }
}

function openBody({ body }: Request): ReadableStreamBYOBReader {
  if (!body) throw noBody()
  return body.getReader({ mode: 'byob' })
}

function noBody(): AppError {
  return malformed('Must not be empty')
}
