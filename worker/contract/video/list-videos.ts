import { z } from 'zod'
import { closedObject } from '../input/closed-object.ts'
import { batchId } from '../ids.ts'
import { worded } from '../answers/wording.ts'
import { nextCursor, pageAsked } from './page-cursor.ts'
import { videoRecord } from './video-record.ts'
import { videoStatuses } from './video-state.ts'

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
  ...pageAsked('v_[0-9A-Za-z]{8}'),
})

export const videoPage = z.object({
  data: z.array(videoRecord).describe('Newest first'),
  archived: z
    .boolean()
    .describe('Whether these are the archived videos of the account, or all others'),
  nextCursor,
})
export type VideoPage = z.infer<typeof videoPage>
