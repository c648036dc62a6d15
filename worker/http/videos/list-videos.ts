import type { Context } from 'hono'
import { limits } from '../../contract/limits.ts'
import { invalidRequest } from '../../contract/answers/errors.ts'
import { listQuery, type VideoPage } from '../../contract/video/list-videos.ts'
import { writeCursor, type PageEnd } from '../../contract/video/page-cursor.ts'
import { allWithProgress } from '../../durable/job/ask-progress.ts'
import { placesInLine } from '../../durable/job/queue-place.ts'
import { describeVideo, type ShownPlace } from '../../service/videos/describe-video.ts'
import { makeLinks } from '../../service/files/file-links.ts'
import { listArchived } from '../../service/videos/search-videos.ts'
import { readSettings } from '../../settings.ts'
import type { ShownVideo } from '../../store/tables/tables.ts'
import { findVideo, listVideos as findVideos } from '../../store/videos/videos.ts'
import type { AppEnv } from '../app-env.ts'
import { readPage } from '../read-page.ts'
import { readQuery } from '../read-query.ts'

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
  const read = async (after: PageEnd | undefined = cursor, count: number) => {
    if (archived) return listArchived(c.env.BUCKET, accountId, { after, limit: count })
    const rows = await findVideos(c.env.DB, accountId, { status, batchId, after, limit: count })
    return allWithProgress(c.env, rows, async ({ id }) => findVideo(c.env.DB, accountId, id))
  }
  const { data, last, isWhole } = await readPage({
    limit,
    read: async (after: PlacedVideo | undefined, count) => {
      const rows = await read(after?.row, count)
      const places = await placesInLine(c.env, rows)
      return rows.map((row): PlacedVideo => ({ row, place: places.get(row.jobId) }))
    },
    describe: async ({ row, place }) => describeVideo(row, linkTo, { now, place }),
  })
  const nextCursor = isWhole || !last ? null : writeCursor(last.row)
  return c.json({ data, nextCursor, archived } satisfies VideoPage)
}

type PlacedVideo = { row: ShownVideo; place: ShownPlace | undefined }
