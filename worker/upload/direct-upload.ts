import type { z } from 'zod'
import type { ReceivedPart, uploadOpened, uploadRecord } from '../contract/direct-upload.ts'
import { AppError } from '../contract/answers/errors.ts'
import { refuseWithoutRoom } from '../service/limits/database-fill.ts'
import { timestamp } from '../service/videos/describe-video.ts'
import { signParts } from '../service/uploads/part-links.ts'
import { openUpload } from '../service/uploads/source-upload.ts'
import { readSettings, type Env, type Settings } from '../settings.ts'
import type { UploadRow } from '../store/tables/tables.ts'
import { findUpload } from '../store/objects/uploads.ts'
import { listParts, type StoredPart } from '../store/objects/upload-parts.ts'
import { choosePartBytes, countParts, largestUploadBytes } from './part-sizes.ts'

export type OpenedUpload = z.infer<typeof uploadOpened>
export type UploadRecord = z.infer<typeof uploadRecord>

export function uploadNotFound(): AppError {
  return new AppError('NotFound', 'Upload not found.')
}

/** Finds the caller's own upload. An upload that comes in a form is never shown. */
export async function requireUpload(
  env: Env,
  accountId: string,
  uploadId: string,
  now: number,
): Promise<UploadRow> {
  const upload = await findUpload(env.DB, accountId, uploadId, now)
  if (!upload || upload.status === 'receiving' || upload.status === 'dropped') {
    throw uploadNotFound()
  }
  return upload
}

function refuseTooLarge(settings: Settings, sizeInBytes: number): void {
  const most = Math.min(settings.maxUploadBytes, largestUploadBytes)
  if (sizeInBytes <= most) return
  const message = `Must be at most ${most} bytes`
  throw new AppError('PayloadTooLarge', `sizeInBytes: ${message}`, {
    details: [{ field: 'sizeInBytes', message }],
  })
}

/** Opens an upload, with an address for each of its parts. */
export async function announceUpload(
  env: Env,
  accountId: string,
  announced: { fileName: string; sizeInBytes: number; contentType: string },
  now: number,
): Promise<OpenedUpload> {
  const settings = readSettings(env)
  refuseTooLarge(settings, announced.sizeInBytes)
  const { sizeInBytes: sizeBytes, contentType } = announced
  await refuseWithoutRoom(env, now, sizeBytes)
  const partBytes = choosePartBytes(sizeBytes)
  const fileName = withoutFolders(announced.fileName)
  const opened = await openUpload(
    env,
    { accountId, fileName, contentType, sizeBytes, partBytes },
    'open',
    now,
  )
  const { uploadId, expiresAt } = opened
  const upload = { id: uploadId, expiresAt }
  const parts = await signParts(settings, upload, numbersTo(countParts({ sizeBytes, partBytes })))
  return { uploadId, partSize: partBytes, parts, expiresAt: timestamp(expiresAt) }
}

/** Some clients send the file's folder in its name. */
function withoutFolders(fileName: string): string {
  return fileName.split(/[/\\]/).at(-1) ?? ''
}

function numbersTo(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i + 1)
}

/** What a client needs to continue an interrupted upload. */
export async function describeUpload(env: Env, upload: UploadRow): Promise<UploadRecord> {
  const received = latestParts(await listParts(env.DB, upload.id))
  const missing = upload.status === 'open' ? missingParts(upload, received) : []
  return {
    uploadId: upload.id,
    status: shownStatus(upload),
    fileName: upload.fileName,
    sizeInBytes: upload.sizeBytes ?? 0,
    partSize: upload.partBytes,
    receivedParts: received.map(asReceived),
    parts: await signParts(readSettings(env), upload, missing),
    ...(upload.refusal ? { message: upload.refusal.message } : {}),
    ...(upload.videoId === null ? {} : { videoId: upload.videoId }),
    expiresAt: timestamp(upload.expiresAt),
  }
}

function shownStatus({ status }: UploadRow): UploadRecord['status'] {
  if (status === 'receiving' || status === 'dropped') throw uploadNotFound()
  return status
}

/** The latest part of each number. */
export function latestParts(parts: readonly StoredPart[]): StoredPart[] {
  return parts.filter((part, i) => parts[i - 1]?.partNumber !== part.partNumber)
}

export function missingParts(upload: UploadRow, received: readonly StoredPart[]): number[] {
  const there = new Set(received.map(({ partNumber }) => partNumber))
  return numbersTo(countParts(upload)).filter((partNumber) => !there.has(partNumber))
}

function asReceived({ partNumber, etag, sizeBytes }: StoredPart): ReceivedPart {
  return { partNumber, etag: quoteEtag(etag), sizeInBytes: sizeBytes }
}

/** An ETag as it appears in the ETag header. */
export function quoteEtag(etag: string): string {
  return `"${etag}"`
}
