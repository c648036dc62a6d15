import { AppError } from '../../contract/answers/errors.ts'
import type { BatchCounts, BatchRecord } from '../../contract/batches/batch.ts'
import type { VideoStatus } from '../../contract/video/video-state.ts'
import type { BatchRow } from '../../store/tables/tables.ts'
import { countInBatches } from '../../store/videos/batches.ts'
import { timestamp } from '../videos/describe-video.ts'

/** The records of several batches; one statement counts the videos of those that are open. */
export async function describeBatches(
  d1: D1Database,
  rows: readonly BatchRow[],
): Promise<BatchRecord[]> {
  const open = rows.filter(({ counts }) => counts === null).map(({ id }) => id)
  const counted = open.length === 0 ? new Map<string, never>() : await countInBatches(d1, open)
  return rows.map((row) => describeBatch(row, row.counts ?? countsOf(row, counted.get(row.id))))
}

export function countsOf(
  { videoIds }: Pick<BatchRow, 'videoIds'>,
  counted: ReadonlyMap<VideoStatus, number> = new Map(),
): BatchCounts {
  const of = (status: VideoStatus) => counted.get(status) ?? 0
  const known = {
    queued: of('queued'),
    running: of('running'),
    succeeded: of('succeeded'),
    failed: of('failed'),
    canceled: of('canceled'),
  }
  const left = Object.values(known).reduce((sum, n) => sum + n, 0)
  return { ...known, deleted: videoIds.length - left }
}

export function describeBatch(row: BatchRow, counts: BatchCounts): BatchRecord {
  return {
    batchId: row.id,
    status: row.endedAt === null ? 'running' : 'ended',
    ...(row.preset !== null && { preset: row.preset }),
    ...(row.webhookUrl !== null && { webhookUrl: row.webhookUrl }),
    total: row.videoIds.length,
    counts,
    createdAt: timestamp(row.createdAt),
    ...(row.canceledAt !== null && { canceledAt: timestamp(row.canceledAt) }),
    ...(row.endedAt !== null && { endedAt: timestamp(row.endedAt) }),
  }
}

export function batchNotFound(): AppError {
  return new AppError('NotFound', 'Batch not found.')
}
