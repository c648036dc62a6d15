import { z } from 'zod'
import { closedObject } from '../input/closed-object.ts'
import { videoId } from '../ids.ts'
import { cursorText, pageSize, writeCursor } from '../video/page-cursor.ts'
import { endEventTypes } from './webhook-event.ts'
import { worded } from '../answers/wording.ts'
import { timestamp } from '../timestamp.ts'

/** An event as its webhook carries it, for a receiver that no webhook can reach. */
export const feedEvent = z.object({
  webhookId: z
    .string()
    .describe('The webhook-id of the event: the same for every receiver, and at every read'),
  type: z.enum(endEventTypes),
  videoId,
  timestamp: timestamp.describe('When the video reached its end'),
  body: z.string().describe('The body of the webhook as text, byte for byte'),
})
export type FeedEvent = z.infer<typeof feedEvent>

export const feedPage = z.object({
  data: z.array(feedEvent).describe('In the order in which the videos ended'),
  nextCursor: z
    .string()
    .describe('Where you are now: pass it as cursor, at once or later, for what came after'),
})
export type FeedPage = z.infer<typeof feedPage>

const endId = 'end'

export const feedQuery = closedObject({
  cursor: cursorText(endId).optional(),
  since: worded(timestamp, 'a time such as "2026-11-22T10:15:00Z"')
    .optional()
    .describe('Begin with what ended after this time; ignored with a cursor. Both absent: now')
    .transform((text) => (text === undefined ? undefined : Date.parse(text))),
  limit: pageSize.optional(),
})

/** The cursor behind an end, or behind everything before a time. */
export function feedCursor(endedOrder: number): string {
  return writeCursor({ createdAt: endedOrder, id: endId })
}
