import { zValidator } from '@hono/zod-validator'
import { invalidRequest } from '../contract/errors.ts'
import { listFaults } from '../contract/faults.ts'
import { limits } from '../contract/limits.ts'
import { listQuery, writeCursor, type VideoPage } from '../contract/list-videos.ts'
import { describeVideo } from '../service/describe-video.ts'
import { makeLinks } from '../service/file-links.ts'
import { readSettings } from '../settings.ts'
import { listVideos as findVideos } from '../store/videos.ts'
import { requireScope } from './authenticate.ts'
import { factory } from './app-env.ts'

const readQuery = zValidator('query', listQuery, (result) => {
  if (!result.success) throw invalidRequest(listFaults(result.error, result.data))
})

/** GET /v1/videos */
export const listVideos = factory.createHandlers(
  requireScope('videos:read'),
  readQuery,
  async (c) => {
    const { status, cursor, limit = limits.listPageSizeDefault } = c.req.valid('query')
    // One more than asked for tells whether there is a next page.
    const rows = await findVideos(c.env.DB, c.var.caller.accountId, {
      status,
      after: cursor,
      limit: limit + 1,
    })
    const page = rows.slice(0, limit)
    const last = page.at(-1)
    const links = makeLinks(readSettings(c.env), Date.now())
    return c.json({
      data: await Promise.all(page.map((video) => describeVideo(video, links))),
      nextCursor: rows.length > limit && last ? writeCursor(last) : null,
    } satisfies VideoPage)
  },
)
