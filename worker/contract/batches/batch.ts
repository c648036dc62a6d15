import { z } from 'zod'
import { worded } from '../answers/wording.ts'
import { batchId, videoId } from '../ids.ts'
import { closedObject } from '../input/closed-object.ts'
import { batchLimits } from '../limits.ts'
import { createVideo } from '../options/create-video.ts'
import { webhookAddress } from '../options/media-url.ts'
import { presetName } from '../options/presets/preset-name.ts'
import { nextCursor, pageAsked, pageSize } from '../video/page-cursor.ts'
import { videoStatuses } from '../video/video-state.ts'
import { timestamp } from '../timestamp.ts'

const itemsWording = 'a list such as [{"fileUrl": "https://example.com/a.mp4"}]'

const elsewhere = {
  videos: 'Unknown field; did you mean items?',
  requests: 'Unknown field; did you mean items?',
  values: 'Belongs in each of the items',
}

function batchOf<Item extends z.ZodType>(item: Item) {
  return closedObject(
    {
      preset: presetName
        .optional()
        .describe('The preset that every item starts from that names no other'),
      webhookUrl: webhookAddress
        .optional()
        .describe('Receives one signed POST when all videos of the batch have ended'),
      items: worded(
        z
          .array(item)
          .min(1, 'Must name at least one video')
          .max(batchLimits.items, `At most ${batchLimits.items} items`),
        itemsWording,
      ).describe(
        'A request of POST /v1/videos each: its source, `values` for the preset, and whatever else is its own',
      ),
    },
    elsewhere,
  )
}

/** The body of POST /v1/batches, as the API reference shows it. */
export const createBatch = batchOf(createVideo)

/** The same as it is read: an item is judged once its preset is filled in. */
export const sentBatch = worded(
  batchOf(z.unknown()),
  'an object such as {"preset": "mine", "items": [{"fileUrl": "https://example.com/a.mp4"}]}',
)
export type SentBatch = z.infer<typeof sentBatch>

export const batchAccepted = z.object({
  batchId,
  videoIds: z.array(videoId).describe('In the order of the items'),
  message: z.string().describe('For people'),
})
export type BatchAccepted = z.infer<typeof batchAccepted>

const count = z.int().min(0)

export const batchCounts = z.object({
  ...({
    queued: count,
    running: count,
    succeeded: count,
    failed: count,
    canceled: count,
  } satisfies Record<(typeof videoStatuses)[number], z.ZodType>),
  deleted: count.describe('Deleted before the batch had ended'),
})
export type BatchCounts = z.infer<typeof batchCounts>

const record = {
  batchId,
  status: z
    .enum(['running', 'ended'])
    .describe('`ended` once each of its videos has succeeded, failed, or was canceled or deleted'),
  preset: presetName.optional(),
  webhookUrl: z.string().optional(),
  total: z.int().min(1).describe('How many videos it has'),
  counts: batchCounts.describe('How many of them are in which state; final once it has ended'),
  createdAt: timestamp,
  canceledAt: timestamp.optional().describe('When it was canceled, if it was'),
  endedAt: timestamp.optional().describe('When its last video ended'),
}

export const batchRecord = z.object(record)
export type BatchRecord = z.infer<typeof batchRecord>

/** One video of a batch, shortly; GET /v1/videos/{videoId} has the rest. */
export const batchItem = z.object({
  item: z.int().min(0).describe('Its place in `items`, from 0'),
  videoId,
  status: z.enum([...videoStatuses, 'deleted']),
  videoName: z.string().optional(),
  progressPercent: z.number().min(0).max(100).optional(),
  errorMessage: z.string().optional().describe('Why it failed'),
})
export type BatchItem = z.infer<typeof batchItem>

export const batchWithVideos = z.object({
  ...record,
  videos: z.array(batchItem).describe('In the order of the items'),
  nextCursor: z
    .string()
    .nullable()
    .describe('Pass it as cursor to read the next videos; null on the last page'),
})
export type BatchWithVideos = z.infer<typeof batchWithVideos>

export const batchPage = z.object({
  data: z.array(batchRecord).describe('Newest first'),
  nextCursor,
})
export type BatchPage = z.infer<typeof batchPage>

export const listBatchesQuery = closedObject({
  ...pageAsked('b_[0-9A-Za-z]{16}'),
})

export const readBatchQuery = closedObject({
  limit: pageSize.optional(),
  cursor: worded(z.string().regex(/^\d{1,4}$/), 'the nextCursor of an earlier page')
    .transform(Number)
    .optional()
    .describe('The nextCursor of the page before'),
})

/** The body of the one event about a batch. */
export const batchEvent = z.object({
  type: z.literal('batch.ended'),
  timestamp: timestamp.describe('When its last video ended'),
  data: batchRecord.describe('The record as GET /v1/batches/{batchId} answers it, without videos'),
})
export type BatchEvent = z.infer<typeof batchEvent>
