import type { SentPart } from '../contract/direct-upload.ts'
import { AppError, invalidRequest, type FieldFault } from '../contract/answers/errors.ts'
import { sniffBytes } from '../contract/video/sniff-format.ts'
import { removeUploadObjects, uploadLifetimeMs } from '../service/uploads/source-upload.ts'
import type { Env } from '../settings.ts'
import { callStorage } from '../store/database.ts'
import { completeUpload, sourceKey, type UploadedPart } from '../store/objects/objects.ts'
import type { UploadRow } from '../store/tables/tables.ts'
import { listParts, type StoredPart } from '../store/objects/upload-parts.ts'
import { concludeUpload } from '../store/objects/uploads.ts'
import { requireUpload, latestParts, missingParts, quoteEtag } from './direct-upload.ts'
import { judgeUploaded } from './judge-file.ts'
import { limits } from '../contract/limits.ts'

/** Joins the parts and checks what the file is. Completing an upload again gives the same answer. */
export async function completeDirectUpload(
  env: Env,
  upload: UploadRow,
  sent: readonly SentPart[] | undefined,
  now: number,
): Promise<UploadRow> {
  if (upload.status === 'open') {
    const parts = chooseParts(upload, await listParts(env.DB, upload.id), sent)
    await joinAndJudge(env, upload, parts, now)
  }
  const judged = await requireUpload(env, upload.accountId, upload.id, now)
  if (judged.refusal) throw refusal(judged.refusal)
  if (judged.status === 'used') {
    throw new AppError('Conflict', `The upload is the source of video ${judged.videoId} already.`)
  }
  return judged
}

/**
 * A failure counts only while the upload is still open; otherwise another request has completed or deleted it
 * meanwhile.
 */
async function joinAndJudge(
  env: Env,
  upload: UploadRow,
  parts: readonly StoredPart[],
  now: number,
): Promise<void> {
  try {
    await joinParts(env, upload, parts)
    await judgeUpload(env, upload, now)
  } catch (error) {
    const after = await requireUpload(env, upload.accountId, upload.id, now)
    if (after.status === 'open') throw error
  }
}

/** Only R2 knows which of two parts with one number came last, and it refuses to join any other. */
async function joinParts(env: Env, upload: UploadRow, parts: readonly StoredPart[]): Promise<void> {
  const { id, multipartId, sizeBytes } = upload
  const pending = { key: sourceKey(id), uploadId: multipartId, sizeBytes: sizeBytes ?? 0 }
  for (const selection of listSelections(parts)) {
    if ((await completeUpload(env.BUCKET, pending, selection)) !== 'lost') return
  }
  // R2 has another part for some number: one that is not recorded yet, or whose request died before it was.
  throw partReplaced()
}

function partReplaced(): AppError {
  const message =
    'A part was sent again meanwhile. Send the parts again that got no answer, then complete again.'
  return new AppError('Conflict', message, { retryAfterSeconds: 1 })
}

/** At most this many combinations are tried; after that the client has to send the parts again. */
const mostSelections = 16

/** The ways to take one part for each number, those with the latest parts first. */
function listSelections(parts: readonly StoredPart[]): UploadedPart[][] {
  const byNumber = Map.groupBy(parts, ({ partNumber }) => partNumber)
  let selections: UploadedPart[][] = [[]]
  for (const candidates of byNumber.values()) {
    const longer = candidates.flatMap(({ partNumber, etag }) =>
      selections.map((selection) => [...selection, { partNumber, etag }]),
    )
    selections = longer.slice(0, mostSelections)
  }
  return selections
}

/** open → ready, or open → refused if its bytes are nothing that a video can be made of. */
async function judgeUpload(env: Env, upload: UploadRow, now: number): Promise<void> {
  const length = Math.min(sniffBytes, upload.sizeBytes ?? 0)
  const head = await callStorage(async () => {
    const object = await env.BUCKET.get(sourceKey(upload.id), { range: { offset: 0, length } })
    return object && new Uint8Array(await object.arrayBuffer())
  })
  // The upload was deleted while it was being completed.
  if (!head) return
  let contentType: string
  try {
    contentType = await judgeUploaded(head)
  } catch (error) {
    if (!(error instanceof AppError) || !isRefusal(error.code)) throw error
    await concludeUpload(env.DB, upload.id, {
      status: 'refused',
      refusal: { code: error.code, message: error.message },
    })
    await removeUploadObjects(env, upload)
    return
  }
  const ready = { status: 'ready', expiresAt: now + uploadLifetimeMs, contentType } as const
  await concludeUpload(env.DB, upload.id, ready)
}

type Refusal = NonNullable<UploadRow['refusal']>

function isRefusal(code: AppError['code']): code is Refusal['code'] {
  return code === 'ValidationError' || code === 'UnsupportedMediaType'
}

function refusal({ code, message }: Refusal): AppError {
  return new AppError(code, message, {
    details: [{ field: 'file', message: message.replace(/^file: /, '') }],
  })
}

const bare = (etag: string) => etag.replace(/^(W\/)?"(.*)"$/, '$2')

/**
 * The parts to join. A part number keeps several candidates if it was sent twice at once and the client did not say
 * which one counts.
 */
function chooseParts(
  upload: UploadRow,
  stored: readonly StoredPart[],
  sent: readonly SentPart[] | undefined,
): readonly StoredPart[] {
  const missing = missingParts(upload, latestParts(stored))
  if (missing.length > 0) throw notReceived(missing)
  if (!sent) return stored
  const faults = compareParts(stored, sent)
  if (faults.length > 0) throw invalidRequest(faults.slice(0, limits.reportedFaults))
  const wanted = new Map(sent.map(({ partNumber, etag }) => [partNumber, bare(etag)]))
  return stored.filter(({ partNumber, etag }) => wanted.get(partNumber) === etag)
}

function notReceived(missing: readonly number[]): AppError {
  const first = missing.slice(0, 20).join(', ')
  const more = missing.length > 20 ? ` and ${missing.length - 20} more` : ''
  const message = `Not all parts have been received; missing: ${first}${more}.`
  const details = missing.slice(0, limits.reportedFaults).map((partNumber) => ({
    field: 'parts',
    message: `Part ${partNumber} has not been received`,
  }))
  return new AppError('Conflict', message, { details })
}

function compareParts(stored: readonly StoredPart[], sent: readonly SentPart[]): FieldFault[] {
  const listed = new Set(sent.map(({ partNumber }) => partNumber))
  const unlisted = latestParts(stored).filter(({ partNumber }) => !listed.has(partNumber))
  return [
    ...sent.flatMap((part, i) => comparePart(part, i, stored, sent)),
    ...unlisted.map(({ partNumber }) => ({
      field: 'parts',
      message: `Part ${partNumber} is not in the list`,
    })),
  ]
}

function comparePart(
  { partNumber, etag }: SentPart,
  i: number,
  stored: readonly StoredPart[],
  sent: readonly SentPart[],
): FieldFault[] {
  const field = `parts[${i}].partNumber`
  if (sent.findIndex((other) => other.partNumber === partNumber) < i) {
    return [{ field, message: `Part ${partNumber} is listed twice` }]
  }
  const known = stored.filter((part) => part.partNumber === partNumber)
  const [last] = known
  if (!last) return [{ field, message: `There is no part ${partNumber}` }]
  if (known.some((part) => part.etag === bare(etag))) return []
  const message = `Part ${partNumber} has the ETag ${quoteEtag(last.etag)}`
  return [{ field: `parts[${i}].etag`, message }]
}
