import type { ReceivedPart } from '../contract/direct-upload.ts'
import { AppError, invalidRequest } from '../contract/answers/errors.ts'
import { DiskHold } from '../service/limits/disk-room.ts'
import type { PartLink } from '../service/uploads/part-links.ts'
import type { Env } from '../settings.ts'
import { callStorage } from '../store/database.ts'
import { sourceKey } from '../store/objects/objects.ts'
import type { UploadRow } from '../store/tables/tables.ts'
import { findUploadOfPart, recordPart } from '../store/objects/upload-parts.ts'
import type { ByteSource } from './byte-window.ts'
import { quoteEtag, uploadNotFound } from './direct-upload.ts'
import { PacedSource } from './paced-source.ts'
import { partLength } from './part-sizes.ts'

/** Streams one part into R2 and records it. */
export async function receivePart(
  env: Env,
  link: PartLink,
  body: { source: ByteSource | undefined; length: number },
  now: number,
): Promise<ReceivedPart> {
  const { uploadId, partNumber } = link
  const found = await findUploadOfPart(env.DB, uploadId)
  const upload = requireOpen(found?.upload, now)
  const expected = partLength(upload, partNumber)
  if (expected === undefined) throw uploadNotFound()
  if (body.length !== expected || !body.source) throw wrongLength(partNumber, expected, body.length)
  const source = new PacedSource(body.source)
  const hold = new DiskHold(env)
  const etag = await hold.write(expected, async () =>
    writePart(env, upload, async () => {
      const { readable, writable } = new FixedLengthStream(expected)
      const arriving = passOn(source, writable)
      const multipart = env.BUCKET.resumeMultipartUpload(sourceKey(uploadId), upload.multipartId)
      const [, part] = await Promise.all([arriving, multipart.uploadPart(partNumber, readable)])
      return part
    }),
  )
  const sizeBytes = expected
  const begunAt = found?.clock ?? 0
  if (!(await recordPart(env.DB, { uploadId, partNumber, etag, sizeBytes, begunAt }))) {
    requireOpen((await findUploadOfPart(env.DB, uploadId))?.upload, now)
  }
  return { partNumber, etag: quoteEtag(etag), sizeInBytes: sizeBytes }
}

function requireOpen(upload: UploadRow | undefined, now: number): UploadRow {
  if (!upload || upload.expiresAt <= now) throw uploadNotFound()
  switch (upload.status) {
    case 'open':
      return upload
    case 'ready':
    case 'refused':
    case 'used':
      throw new AppError(
        'Conflict',
        `The upload is complete (${upload.status}); its parts can no longer be changed.`,
      )
    case 'receiving':
    case 'dropped':
      throw uploadNotFound()
  }
}

function wrongLength(partNumber: number, expected: number, actual: number): AppError {
  const message = `Part ${partNumber} must have exactly ${expected} bytes; this has ${actual}`
  return invalidRequest([{ field: 'Content-Length', message }])
}

/** R2 refuses a part of an upload that was completed or deleted meanwhile; the client is then told that. */
async function writePart(
  env: Env,
  upload: UploadRow,
  write: () => Promise<R2UploadedPart>,
): Promise<string> {
  try {
    return (await callStorage(write)).etag
  } catch (error) {
    requireOpen((await findUploadOfPart(env.DB, upload.id))?.upload, Date.now())
    throw error
  }
}

const pieceBytes = 256 * 1024

/** Writes every byte of the source to the stream, and ends or aborts the stream. */
export async function passOn(source: ByteSource, into: WritableStream<Uint8Array>): Promise<void> {
  const writer = into.getWriter()
  try {
    let view: Uint8Array<ArrayBuffer> = new Uint8Array(pieceBytes)
    for (;;) {
      const { done, value } = await source.readAtLeast(pieceBytes, view)
      if (value && value.byteLength > 0) await writer.write(value)
      if (done || !value) break
      view = new Uint8Array(value.buffer)
    }
    await writer.close()
  } catch (error) {
    // The reader of the stream gets the error by itself; throw the cause.
    writer.abort(error).catch(() => undefined)
    throw error
  }
}
