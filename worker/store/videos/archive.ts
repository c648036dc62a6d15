import { getTableColumns, type Column, type InferSelectModel } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { z } from 'zod'
import type { PageEnd } from '../../contract/video/page-cursor.ts'
import { callStorage } from '../database.ts'
import {
  jobAttempts,
  jobs,
  videos,
  type AttemptRow,
  type JobRow,
  type ShownVideo,
} from '../tables/tables.ts'

/** A row by the names of its columns in D1. */
type StoredRow = Record<string, unknown>

/** Everything that the database has of a video that has ended. */
export type StoredVideo = { video: StoredRow; job: StoredRow; attempts: StoredRow[] }

/** The parts of an archived video's object names. */
export type ArchivedIds = { accountId: string; videoId: string; jobId: string; createdAt: number }

export type ArchivedVideo = { video: ShownVideo; job: JobRow; attempts: AttemptRow[] }

const archiveOf = (accountId: string) => `archive/${accountId}/`
const videoKey = (accountId: string, videoId: string) =>
  `${archiveOf(accountId)}videos/${videoId}.json`
const jobKey = (accountId: string, jobId: string) => `${archiveOf(accountId)}jobs/${jobId}`
const orderPrefix = (accountId: string) => `${archiveOf(accountId)}newest/`

/** A bucket lists names in alphabetical order, so the newest gets the smallest number. */
const endOfTime = 999_999_999_999_999
const orderKey = (accountId: string, { createdAt, id }: PageEnd) =>
  `${orderPrefix(accountId)}${String(endOfTime - createdAt).padStart(15, '0')}.${id}`

function archivedKeys({ accountId, videoId, jobId, createdAt }: ArchivedIds): string[] {
  return [
    videoKey(accountId, videoId),
    jobKey(accountId, jobId),
    orderKey(accountId, { createdAt, id: videoId }),
  ]
}

/** The object with the record. A tombstone for it removes even a record that a sweep is writing at that moment. */
export function archivedRecordKey(accountId: string, videoId: string): string {
  return videoKey(accountId, videoId)
}

/**
 * Writes a video into the archive, and reads back whether it is there as it was sent. The object with the record comes
 * last: the others only lead to it. An existing record stays, unless its ETag is `replaced`; returns the ETag of one that
 * has stayed.
 */
export async function putArchived(
  bucket: R2Bucket,
  ids: ArchivedIds,
  stored: StoredVideo,
  replaced?: string,
): Promise<string | undefined> {
  const bytes = new TextEncoder().encode(`${JSON.stringify({ version: 1, ...stored })}\n`)
  const sha256 = await crypto.subtle.digest('SHA-256', bytes)
  const [record = '', job = '', order = ''] = archivedKeys(ids)
  const onlyIf = replaced === undefined ? { etagDoesNotMatch: '*' } : { etagMatches: replaced }
  const httpMetadata = { contentType: 'application/json' }
  return callStorage(async () => {
    await Promise.all([bucket.put(job, ids.videoId), bucket.put(order, '')])
    await bucket.put(record, bytes, { sha256, httpMetadata, onlyIf })
    const there = await bucket.head(record)
    if (!there) throw new Error(`${record} is not there`)
    const { sha256: written } = there.checksums
    return written && isSame(written, sha256) ? undefined : there.etag
  })
}

function isSame(one: ArrayBuffer, other: ArrayBuffer): boolean {
  const [a, b] = [new Uint8Array(one), new Uint8Array(other)]
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}

export async function deleteArchived(bucket: R2Bucket, several: readonly ArchivedIds[]) {
  if (several.length > 0) await callStorage(() => bucket.delete(several.flatMap(archivedKeys)))
}

const archivedObject = z.object({
  video: z.record(z.string(), z.unknown()),
  job: z.record(z.string(), z.unknown()),
  attempts: z.array(z.record(z.string(), z.unknown())),
})

/** One read, whether the video exists or not. Another account's video is not found. */
export async function findArchived(bucket: R2Bucket, accountId: string, videoId: string) {
  return callStorage(async () => {
    const object = await bucket.get(videoKey(accountId, videoId))
    if (!object) return undefined
    const stored = archivedObject.parse(await object.json())
    const job = rowOf(jobs, stored.job)
    const { id: jobId, error: jobError, startedAt } = job
    const video = { ...rowOf(videos, stored.video), jobId, jobError, startedAt }
    return { video, job, attempts: stored.attempts.map((row) => rowOf(jobAttempts, row)) }
  })
}

export async function findArchivedJob(bucket: R2Bucket, accountId: string, jobId: string) {
  const videoId = await callStorage(async () =>
    (await bucket.get(jobKey(accountId, jobId)))?.text(),
  )
  return videoId === undefined ? undefined : findArchived(bucket, accountId, videoId)
}

/** The next archived videos of the account in its list, newest first, strictly after `after`. */
export async function listArchivedIds(
  bucket: R2Bucket,
  accountId: string,
  { after, limit }: { after?: PageEnd | undefined; limit: number },
): Promise<PageEnd[]> {
  const prefix = orderPrefix(accountId)
  const startAfter = after && orderKey(accountId, after)
  const { objects } = await callStorage(() =>
    bucket.list({ prefix, limit, ...(startAfter !== undefined && { startAfter }) }),
  )
  return objects.map(({ key }) => {
    const [rest = '', id = ''] = key.slice(prefix.length).split('.')
    return { createdAt: endOfTime - Number(rest), id }
  })
}

/** A column of a later version is empty in rows that an earlier one has archived. */
function rowOf<Table extends SQLiteTable>(
  table: Table,
  stored: StoredRow,
): InferSelectModel<Table> {
  const fields = Object.entries<Column>(getTableColumns(table)).map(([field, column]) => {
    const value = stored[column.name] ?? null
    return [field, value === null ? (column.default ?? null) : column.mapFromDriverValue(value)]
  })
  // The table names each field, and each value has the type of its column.
  return Object.fromEntries(fields) as InferSelectModel<Table>
}
