import { zValidator } from '@hono/zod-validator'
import { z } from 'zod'
import { closedObject } from '../contract/closed-object.ts'
import { invalidRequest } from '../contract/errors.ts'
import { listFaults } from '../contract/faults.ts'
import { limits } from '../contract/limits.ts'
import { videoStatuses } from '../contract/video-state.ts'
import { describeVideo } from '../service/describe-video.ts'
import { makeLinks } from '../service/file-links.ts'
import { readSettings } from '../settings.ts'
import { listVideos as findVideos, type ListPosition } from '../store/videos.ts'
import { requireScope } from './authenticate.ts'
import { factory } from './app-env.ts'

const cursorText = z.string().transform((text, context): ListPosition => {
  const position = readCursor(text)
  if (position) return position
  context.addIssue({ code: 'custom', message: 'Must be the nextCursor of an earlier page' })
  return z.NEVER
})

const pageRange = `Must be a whole number from 1 to ${limits.listPageSize}`

export const listQuery = closedObject({
  status: z.enum(videoStatuses).optional(),
  limit: z
    .string()
    .regex(/^\d{1,4}$/, pageRange)
    .transform(Number)
    .refine((n) => n >= 1 && n <= limits.listPageSize, pageRange)
    .optional(),
  cursor: cursorText.optional(),
})

function writeCursor(position: ListPosition): string {
  return btoa(`${position.createdAt}.${position.id}`).replaceAll('+', '-').replaceAll('/', '_')
}

function readCursor(text: string): ListPosition | undefined {
  try {
    const match = /^(\d{1,15})\.(v_[0-9A-Za-z]{8})$/.exec(
      atob(text.replaceAll('-', '+').replaceAll('_', '/')),
    )
    return match?.[1] && match[2] ? { createdAt: Number(match[1]), id: match[2] } : undefined
  } catch {
    return undefined
  }
}

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
    })
  },
)
