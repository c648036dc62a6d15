import * as batches from '../../../contract/batches/batch.ts'
import { batchLimits } from '../../../contract/limits.ts'
import { answer, takes } from '../bodies.ts'
import type { Described } from '../describe-operation.ts'
import * as examples from '../examples/batch-examples.ts'
import { conflict, fault, invalid, wrong, sharedFailure } from '../failures.ts'
import { idempotencyKeyParameter } from '../parameters.ts'

export const createBatch: Described = {
  summary: 'Create many videos',
  description: `Creates up to ${batchLimits.items} videos with one request. Each item is a request of POST /v1/videos; \`preset\` stands for all items that name no other, and \`values\` of an item fill its templates. All items are checked first: if one is not valid nothing is created, and the faults name their item, such as \`items[7].values.title\`. When all videos have ended, one event \`batch.ended\` is sent. ${batchLimits.itemsForEachRequest} items count as one request in the limits of a key. The body may have ${batchLimits.bodyBytes} bytes.`,
  parameters: [idempotencyKeyParameter],
  body: takes(batches.createBatch, 'A list of requests, and what they have in common.', {
    clips: ['Two clips from one preset', examples.batchRequest],
  }),
  responses: {
    402: sharedFailure('BudgetExceeded'),
    202: answer(
      'All videos are queued.',
      'BatchAccepted',
      { queued: ['Queued', examples.batchAccepted] },
      ['Location', 'Idempotent-Replayed'],
    ),
    400: invalid({
      value: wrong(
        'items[7].values.title',
        'Required: the preset product-clip has {{title}} in elements[0].text',
      ),
    }),
    409: conflict(
      'The Idempotency-Key belongs to another request, or an upload was used by another one just now.',
      { reused: fault('Conflict', 'This Idempotency-Key was used with another request.') },
    ),
  },
}

export const listBatches: Described = {
  summary: 'List batches',
  description: 'Your batches, newest first, each with the counts of its videos.',
  query: batches.listBatchesQuery,
  responses: {
    200: answer('One page.', 'BatchPage', { page: ['The only page', examples.batchPage] }),
  },
}

export const getBatch: Described = {
  summary: 'Read one batch',
  description:
    'How many of its videos are in which state, and its videos in the order of the items, a page at a time. GET /v1/videos?batchId= has their whole records. A batch can be read for a year after its end.',
  query: batches.readBatchQuery,
  responses: {
    200: answer('The batch.', 'BatchWithVideos', {
      running: ['One video of two has succeeded', examples.batchWithVideos],
    }),
  },
}

export const cancelBatch: Described = {
  summary: 'Cancel a batch',
  description:
    'Cancels every video of it that has not ended; of a large batch some may take a minute. Videos that have ended stay as they are. Canceling a batch again changes nothing.',
  responses: {
    200: answer('The batch as it is now.', 'Batch', {
      canceled: ['Canceled while its second video was running', examples.canceledBatch],
    }),
    409: conflict('The batch has ended, and was not canceled.', {
      ended: fault('Conflict', 'The batch has already ended; it cannot be canceled.'),
    }),
  },
}
