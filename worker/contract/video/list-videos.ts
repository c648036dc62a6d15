import { z } from 'zod'
import { closedObject } from '../input/closed-object.ts'
import { batchId } from '../ids.ts'
import { limits } from '../limits.ts'
import { worded } from '../answers/wording.ts'
import { cursorText } from './page-cursor.ts'
import { videoRecord } from './video-record.ts'
import { videoStatuses } from './video-state.ts'

const pageRange = `Must be a whole number from 1 to ${limits.listPageSize}`

/** `limit` of a list. */
export const pageSize = worded(
  z.string().regex(/^\d{1,4}$/),
  `a whole number from 1 to ${limits.listPageSize}`,
)
  // A query is text, but the API reference shows this parameter as a number.
  .meta({
    type: 'integer',
    minimum: 1,
    maximum: limits.listPageSize,
    description: `Maximum number of entries on a page; ${limits.listPageSizeDefault} when absent`,
  })
  .transform(Number)
  .refine((n) => n >= 1 && n <= limits.listPageSize, pageRange)

const archived = worded(z.enum(['true', 'false']), 'true or false')
  // A query is text, but the API reference shows this parameter as a boolean.
  .meta({
    type: 'boolean',
    enum: undefined,
    description:
      'true lists the archived videos, and no others; without it, the list has all but those. Not together with status',
  })
  .transform((text) => text === 'true')

export const listQuery = closedObject({
  status: z.enum(videoStatuses).optional().describe('Only videos with this status'),
  archived: archived.optional(),
  batchId: batchId.optional().describe('Only videos of this batch. Not together with archived'),
  limit: pageSize.optional(),
  cursor: cursorText('v_[0-9A-Za-z]{8}').optional(),
})

export const videoPage = z.object({
  data: z.array(videoRecord).describe('Newest first'),
  archived: z
    .boolean()
    .describe('Whether these are the archived videos of the account, or all others'),
  nextCursor: z
    .string()
    .nullable()
    .describe('Pass it as cursor to read the next page; null on the last page'),
})
export type VideoPage = z.infer<typeof videoPage>
