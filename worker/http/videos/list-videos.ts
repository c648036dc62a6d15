import type { Context } from 'hono'
import { limits } from '../../contract/limits.ts'
import { invalidRequest } from '../../contract/answers/errors.ts'
import { listQuery, type VideoPage } from '../../contract/video/list-videos.ts'
import { writeCursor, type PageEnd } from '../../contract/video/page-cursor.ts'
import type { VideoRecord } from '../../contract/video/video-record.ts'
import { allWithProgress } from '../../durable/job/ask-progress.ts'
import { placesInLine } from '../../durable/job/queue-place.ts'
import {
  describeVideo,
  type LinkMaker,
  type ShownPlace,
} from '../../service/videos/describe-video.ts'
import { makeLinks } from '../../service/files/file-links.ts'
import { listArchived } from '../../service/videos/search-videos.ts'
import { readSettings } from '../../settings.ts'
import type { ShownVideo } from '../../store/tables/tables.ts'
import { findVideo, listVideos as findVideos } from '../../store/videos/videos.ts'
import type { AppEnv } from '../app-env.ts'
import { readQuery } from '../read-query.ts'

/**
 * A row can be a megabyte, and a hundred of them more than the memory of a Worker. So the first few rows of a page tell
 * how many more of their size fit, and those are read at once.
 */
const firstRows = 5

const sizeOf = (record: VideoRecord) => new TextEncoder().encode(JSON.stringify(record)).length

type Reading = {
  linkTo: LinkMaker
  now: number
  placesOf: (rows: readonly ShownVideo[]) => Promise<ReadonlyMap<string, ShownPlace>>
}

/**
 * Up to `limit` videos, or fewer if their JSON is large, but at least one: otherwise nobody could get past a large one.
 */
async function readPage(
  { linkTo, now, placesOf }: Reading,
  limit: number,
  read: (after: PageEnd | undefined, count: number) => Promise<ShownVideo[]>,
): Promise<Omit<VideoPage, 'archived'>> {
  const data: VideoRecord[] = []
  let sizeBytes = 0
  let end: PageEnd | undefined
  const isFull = () => data.length >= limit || sizeBytes >= limits.listPageBytes
  for (;;) {
    // One more row than fits tells whether there is a next page.
    const left = isFull() ? 1 : limit + 1 - data.length
    const count = Math.min(left, rowsThatFit(data.length, sizeBytes))
    const rows = await read(end, count)
    const places = await placesOf(rows)
    for (const row of rows) {
      if (end && isFull()) return { data, nextCursor: writeCursor(end) }
      const record = await describeVideo(row, linkTo, { now, place: places.get(row.jobId) })
      data.push(record)
      sizeBytes += sizeOf(record)
      end = row
    }
    if (rows.length < count) return { data, nextCursor: null }
  }
}

function rowsThatFit(rows: number, bytes: number): number {
  if (rows === 0) return firstRows
  return Math.max(1, Math.ceil((limits.listPageBytes - bytes) / (bytes / rows)))
}

/** GET /v1/videos */
export async function listVideos(c: Context<AppEnv>): Promise<Response> {
  const query = await readQuery(c, listQuery)
  const { status, archived = false, batchId, cursor, limit = limits.listPageSizeDefault } = query
  if (archived && status !== undefined) {
    const message = 'Cannot be combined with archived: the archive is listed by time only'
    throw invalidRequest([{ field: 'status', message }])
  }
  if (archived && batchId !== undefined) {
    const message =
      'Cannot be combined with archived: GET /v1/batches/{batchId} names all its videos'
    throw invalidRequest([{ field: 'batchId', message }])
  }
  const now = Date.now()
  const linkTo = makeLinks(readSettings(c.env), now)
  const { accountId } = c.get('caller')
  const placesOf = async (rows: readonly ShownVideo[]) => placesInLine(c.env, rows)
  const page = await readPage({ linkTo, now, placesOf }, limit, async (after = cursor, count) => {
    if (archived) return listArchived(c.env.BUCKET, accountId, { after, limit: count })
    const rows = await findVideos(c.env.DB, accountId, { status, batchId, after, limit: count })
    return allWithProgress(c.env, rows, async ({ id }) => findVideo(c.env.DB, accountId, id))
  })
  return c.json({ ...page, archived } satisfies VideoPage)
}
