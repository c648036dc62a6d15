import { storageLimits } from '../../contract/limits.ts'
import { objectUrl } from '../../contract/storages/storage.ts'
import type { Settings } from '../../settings.ts'
import { callStorage } from '../../store/database.ts'
import type { StoredOutput } from '../../store/tables/tables.ts'
import { askStorage, type OpenStorage, type StorageAnswer } from './ask-storage.ts'
import { elementOf, errorCode, sayAnswer } from './storage-answer.ts'

/** An upload in parts that has begun. `place`: the bucket, because a storage may be saved again as another one. */
export type BegunUpload = {
  uploadId: string
  storage: string
  place: string
  key: string
  etags: string[]
}

type Sending = {
  settings: Settings
  bucket: R2Bucket
  storage: OpenStorage
  source: StoredOutput
  key: string
  begun: BegunUpload | undefined
  /** Called whenever more bytes have arrived, so that a later try continues from there. */
  save: (begun: BegunUpload | undefined) => void
  /** Whether to stop now and continue later. */
  isTimeUp: () => boolean
}

type SentObject =
  | { outcome: 'delivered' | 'paused' | 'gone' }
  | { outcome: 'failed'; reason: string }

const steps = {
  PUT: 'an object could not be written (PUT)',
  HEAD: 'the object that was written could not be found (HEAD)',
  POST: 'an upload in parts could not be made (POST)',
}

/**
 * Sends one file to a customer's bucket, and makes sure that it is there. A file that is sent again replaces the one
 * before, so however often this is tried, there is one object.
 */
export async function sendObject(sending: Sending): Promise<SentObject> {
  return sending.source.sizeBytes <= storageLimits.partBytes
    ? sendWhole(sending)
    : sendInParts(sending)
}

async function sendWhole(sending: Sending): Promise<SentObject> {
  const { key, source } = sending
  const body = await readSource(sending, 0)
  if (!body) return { outcome: 'gone' }
  const headers = { 'Content-Type': source.contentType }
  const answer = await ask(sending, { method: 'PUT', key, body, headers })
  if (!answer.ok) return failed('PUT', answer)
  return prove(sending, answer.headers.get('ETag') ?? undefined)
}

async function sendInParts(sending: Sending): Promise<SentObject> {
  const begun = await beginOrGoOn(sending)
  if ('outcome' in begun) return begun
  const { key, source, save } = sending
  const { uploadId } = begun
  const count = Math.ceil(source.sizeBytes / storageLimits.partBytes)
  while (begun.etags.length < count) {
    if (sending.isTimeUp()) return { outcome: 'paused' }
    const number = begun.etags.length + 1
    const body = await readSource(sending, begun.etags.length * storageLimits.partBytes)
    if (!body) return { outcome: 'gone' }
    const query = { partNumber: String(number), uploadId }
    const answer = await ask(sending, { method: 'PUT', key, query, body })
    if (!answer.ok) return failedUpload(sending, 'PUT', answer)
    begun.etags.push(answer.headers.get('ETag') ?? '')
    save(begun)
  }
  return completeUpload(sending, begun)
}

async function beginOrGoOn(sending: Sending): Promise<BegunUpload | SentObject> {
  const { key, source, storage, save } = sending
  const place = placeOf(storage)
  if (sending.begun?.place === place) return sending.begun
  const headers = { 'Content-Type': source.contentType }
  const answer = await ask(sending, { method: 'POST', key, query: { uploads: '' }, headers })
  if (!answer.ok) return failed('POST', answer)
  const uploadId = elementOf(answer.body, 'UploadId')
  if (!uploadId) return { outcome: 'failed', reason: `${steps.POST}: the answer names no upload` }
  const begun = { uploadId, storage: storage.name, place, key, etags: [] }
  save(begun)
  return begun
}

async function completeUpload(sending: Sending, begun: BegunUpload): Promise<SentObject> {
  const parts = begun.etags.map(
    (etag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`,
  )
  const xml = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
  const body = Uint8Array.from(new TextEncoder().encode(xml))
  const query = { uploadId: begun.uploadId }
  const answer = await ask(sending, { method: 'POST', key: sending.key, query, body })
  if (!answer.ok) return failedUpload(sending, 'POST', answer)
  // S3 may report a failure even after it has answered 200.
  if (errorCode(answer.body) !== undefined) {
    return { outcome: 'failed', reason: `${steps.POST}: ${sayAnswer(answer.status, answer.body)}` }
  }
  // Once completed, the upload no longer exists, whatever became of it.
  sending.save(undefined)
  return prove(sending, elementOf(answer.body, 'ETag'))
}

/** Proves that the object is there, has the right size, and is the one that was just written. */
async function prove(sending: Sending, etag: string | undefined): Promise<SentObject> {
  const answer = await ask(sending, { method: 'HEAD', key: sending.key })
  if (!answer.ok) return failed('HEAD', answer)
  if (answer.headers.get('Content-Length') !== String(sending.source.sizeBytes)) {
    return { outcome: 'failed', reason: 'The object in the bucket has another size than the file' }
  }
  const found = answer.headers.get('ETag')
  if (etag !== undefined && bare(found ?? '') !== bare(etag)) {
    return { outcome: 'failed', reason: 'The object in the bucket is not the one that was written' }
  }
  return { outcome: 'delivered' }
}

/** Drops an upload that will not be completed, so that its parts cost nothing. */
export async function abortUpload(
  settings: Settings,
  storage: OpenStorage,
  { uploadId, place, key }: BegunUpload,
): Promise<void> {
  if (place !== placeOf(storage)) return
  await askStorage(settings, storage, { method: 'DELETE', key, query: { uploadId } })
}

function placeOf(storage: OpenStorage): string {
  return `${objectUrl(storage).href} ${storage.prefix}`
}

async function ask(
  { settings, storage }: Sending,
  asked: Parameters<typeof askStorage>[2],
): Promise<StorageAnswer> {
  return askStorage(settings, storage, asked)
}

type RefusedAnswer = Extract<StorageAnswer, { ok: false }>

function failed(method: keyof typeof steps, { reason }: RefusedAnswer): SentObject {
  return { outcome: 'failed', reason: `${steps[method]}: ${reason}` }
}

/** Forgets an upload that the bucket does not know any more, or whose parts it refuses to join. */
function failedUpload(sending: Sending, method: 'PUT' | 'POST', answer: RefusedAnswer): SentObject {
  const code = errorCode(answer.body)
  const isLost = answer.status === 404 || code === 'InvalidPart' || code === 'InvalidPartOrder'
  if (isLost) sending.save(undefined)
  return failed(method, answer)
}

/** Reads a piece of the file; undefined if the file is gone. */
async function readSource(
  { bucket, source }: Sending,
  offset: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const length = Math.min(storageLimits.partBytes, source.sizeBytes - offset)
  return callStorage(async () => {
    const found = await bucket.get(source.key, { range: { offset, length } })
    return found ? new Uint8Array(await found.arrayBuffer()) : undefined
  })
}

function bare(etag: string): string {
  return etag.replace(/^"|"$/g, '')
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
