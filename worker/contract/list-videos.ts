import { z } from 'zod'
import { closedObject } from './closed-object.ts'
import { limits } from './limits.ts'
import { videoRecord } from './video-record.ts'
import { videoStatuses } from './video-state.ts'

/** The last video of a page; the next page begins behind it. */
export type PageEnd = { createdAt: number; id: string }

const cursorText = z
  .string()
  .describe('The nextCursor of the page before')
  .transform((text, context): PageEnd => {
    const position = readCursor(text)
    if (position) return position
    context.addIssue({ code: 'custom', message: 'Must be the nextCursor of an earlier page' })
    return z.NEVER
  })

const pageRange = `Must be a whole number from 1 to ${limits.listPageSize}`

const pageSize = z
  .string()
  .regex(/^\d{1,4}$/, pageRange)
  // A query is text; to a reader of the API it is a number.
  .meta({
    type: 'integer',
    minimum: 1,
    maximum: limits.listPageSize,
    description: `At most so many videos on a page; ${limits.listPageSizeDefault} when absent`,
  })
  .transform(Number)
  .refine((n) => n >= 1 && n <= limits.listPageSize, pageRange)

export const listQuery = closedObject({
  status: z.enum(videoStatuses).optional().describe('Only videos with this status'),
  limit: pageSize.optional(),
  cursor: cursorText.optional(),
})

export const videoPage = z.object({
  data: z.array(videoRecord).describe('Newest first'),
  nextCursor: z.string().nullable().describe('Give it as cursor; null on the last page'),
})
export type VideoPage = z.infer<typeof videoPage>

export function writeCursor(end: PageEnd): string {
  return btoa(`${end.createdAt}.${end.id}`).replaceAll('+', '-').replaceAll('/', '_')
}

function readCursor(text: string): PageEnd | undefined {
  try {
    const match = /^(\d{1,15})\.(v_[0-9A-Za-z]{8})$/.exec(
      atob(text.replaceAll('-', '+').replaceAll('_', '/')),
    )
    return match?.[1] && match[2] ? { createdAt: Number(match[1]), id: match[2] } : undefined
  } catch {
    return undefined
  }
}
