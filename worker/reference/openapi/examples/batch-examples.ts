import type {
  BatchAccepted,
  BatchEvent,
  BatchPage,
  BatchRecord,
  BatchWithVideos,
} from '../../../contract/batches/batch.ts'
import type { CreateBody } from './examples.ts'

const item = (name: string, title: string): CreateBody => ({
  fileUrl: `https://media.example.com/clips/${name}.mp4`,
  values: { title },
  metadata: { row: name },
})

export const batchRequest = {
  preset: 'product-clip',
  webhookUrl: 'https://example.com/hooks/spool',
  items: [item('shoe', 'Trail shoe'), item('tent', 'Two-person tent')],
}

const batchId = 'b_5tRw8ZkQ1nYcB4vL'
const videoIds = ['v_3kTMd92L', 'v_8fJ2kQpX']

export const batchAccepted: BatchAccepted = {
  batchId,
  videoIds,
  message: '2 videos are queued for processing.',
}

const counts = { queued: 0, running: 0, succeeded: 0, failed: 0, canceled: 0, deleted: 0 }

const batch: BatchRecord = {
  batchId,
  status: 'running',
  preset: batchRequest.preset,
  webhookUrl: batchRequest.webhookUrl,
  total: 2,
  counts: { ...counts, running: 1, succeeded: 1 },
  createdAt: '2026-11-21T10:14:21.480Z',
}

const endedBatch: BatchRecord = {
  ...batch,
  status: 'ended',
  counts: { ...counts, succeeded: 2 },
  endedAt: '2026-11-21T10:16:40.007Z',
}

export const canceledBatch: BatchRecord = {
  ...endedBatch,
  counts: { ...counts, succeeded: 1, canceled: 1 },
  canceledAt: '2026-11-21T10:16:39.912Z',
}

export const batchWithVideos: BatchWithVideos = {
  ...batch,
  videos: [
    {
      item: 0,
      videoId: 'v_3kTMd92L',
      status: 'succeeded',
      videoName: 'shoe',
      progressPercent: 100,
    },
    { item: 1, videoId: 'v_8fJ2kQpX', status: 'running', videoName: 'tent', progressPercent: 40 },
  ],
  nextCursor: null,
}

export const batchPage: BatchPage = { data: [batch], nextCursor: null }

export const batchEvent: BatchEvent = {
  type: 'batch.ended',
  timestamp: '2026-11-21T10:16:40.007Z',
  data: endedBatch,
}
