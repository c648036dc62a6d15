import { getTableColumns, sql } from 'drizzle-orm'
import { integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { BatchCounts } from '../../contract/batches/batch.ts'
import type { TimeLeftRange } from '../../contract/job/paces.ts'
import type { CreateVideo } from '../../contract/options/create-video.ts'
import type { AttemptOutcome } from '../../contract/job/job-record.ts'
import type { Check } from '../../contract/job/check.ts'
import type { WhoSpeaks } from '../../contract/video/transcript.ts'
import type { OutputKind } from '../../contract/job/media-job.ts'
import type {
  AnalysisData,
  Covered,
  FailureReason,
  Moments,
  NamedOutput,
  RemovedSeconds,
  Suggestion,
  VideoMetadata,
} from '../../contract/job/report.ts'
import type { Reframed } from '../../contract/job/reframed.ts'
import type { DeliveryAttempt, DeliveryStatus } from '../../contract/webhooks/webhook-delivery.ts'
import type { DeliveryType } from '../../contract/webhooks/webhook-event.ts'
import type { InsightStatus, Phase, VideoStatus } from '../../contract/video/video-state.ts'
import type { ShownDelivery } from '../../contract/storages/destination.ts'
import type { StoredTrace } from '../jobs/traces.ts'

/** The tables that migrations/ creates; a test keeps the two the same. */

export const accounts = sqliteTable('accounts', {
  id: text().primaryKey(),
  name: text(),
  rateLimits: text('rate_limits'),
  retainSourcesDays: integer('retain_sources_days').notNull().default(7),
  retainOutputsDays: integer('retain_outputs_days').notNull().default(30),
  webhookSecret: text('webhook_secret').notNull(),
  previousWebhookSecret: text('previous_webhook_secret'),
  previousSecretExpiresAt: integer('previous_secret_expires_at'),
  createdAt: integer('created_at').notNull(),
  weight: integer().notNull().default(1),
  maxRunning: integer('max_running'),
  planVersion: integer('plan_version').notNull().default(0),
  budget: real(),
  budgetTold: text('budget_told'),
  turn: real(),
  operates: integer({ mode: 'boolean' }).notNull().default(false),
  /** Null: never. */
  archiveAfterDays: integer('archive_after_days').default(90),
})

export const apiKeys = sqliteTable('api_keys', {
  id: text().primaryKey(),
  accountId: text('account_id').notNull(),
  name: text(),
  hash: text().notNull(),
  hint: text().notNull(),
  scopes: text({ mode: 'json' }).$type<string[]>().notNull(),
  createdAt: integer('created_at').notNull(),
  expiresAt: integer('expires_at'),
  revokedAt: integer('revoked_at'),
  lastUsedAt: integer('last_used_at'),
})

export type StoredOutput = {
  key: string
  sizeBytes: number
  contentType: string
  etag: string
  extension: string
}

/** A result on its way to a bucket of the account. `kinds`: its files, the main one first. */
export type StoredDelivery = ShownDelivery & { kinds: OutputKind[] }

export type VideoResult = {
  outputs: Partial<Record<OutputKind, StoredOutput>>
  /** The video whose result this is, if the work was not done again. */
  reusedFrom?: string
  /** Present if the request names outputs: each of them, in its order, by the kind of its file. */
  named?: NamedOutput[]
  /** Absent if no video was to be made. */
  videoMetadata?: VideoMetadata
  /** Present if the request asked for no video. */
  suggestions?: Suggestion[]
  /** Present if clips or chapters were looked for, and the speech was heard. */
  moments?: Moments
  /** Present if words or faces were to be covered. */
  covered?: Covered
  /** Present if the crop followed who is seen. */
  reframed?: Reframed
  removed?: RemovedSeconds
  /** Present if the request names destinations. */
  deliveries?: StoredDelivery[]
  /** Absent if no film was made. */
  checks?: Check[]
  warnings: string[]
}

/** Kept beside the status: the progress, the result, or why it is missing. */
export type KeptTranscript = {
  progress?: number
  text?: string
  language?: string
  confidence?: number
  message?: string
  /** The speakers' later names, by the names that the job gave, and the files that contain them. */
  renamed?: {
    names: Record<string, string>
    files: Partial<Record<OutputKind, StoredOutput>>
  }
} & WhoSpeaks
export type KeptAnalysis = { progress?: number; data?: AnalysisData; message?: string }

export type StoredJobError = {
  error: 'ProcessingError' | 'StorageError'
  reason: FailureReason
  message: string
}

/** A source in the bucket, with the facts of its row in `uploads` when the first video took it. */
export type VideoSource = {
  uploadId: string
  /** The request field that named it, for error messages. */
  field: 'file' | 'uploadId' | 'sourceVideoId'
  fileName: string
  /** Counted by triggers. */
  sizeBytes: number
  /** The digest of its bytes, once they were read. */
  sha256?: string | undefined
}

export const videos = sqliteTable('videos', {
  id: text().primaryKey(),
  accountId: text('account_id').notNull(),
  name: text().notNull(),
  status: text().$type<VideoStatus>().notNull(),
  progressPercent: real('progress_percent').notNull().default(0),
  phase: text().$type<Phase>(),
  request: text({ mode: 'json' }).$type<CreateVideo>().notNull(),
  transcriptStatus: text('transcript_status').$type<InsightStatus>().notNull(),
  transcript: text({ mode: 'json' }).$type<KeptTranscript>(),
  analysisStatus: text('analysis_status').$type<InsightStatus>().notNull(),
  analysis: text({ mode: 'json' }).$type<KeptAnalysis>(),
  result: text({ mode: 'json' }).$type<VideoResult>(),
  errorMessage: text('error_message'),
  terminalEventId: text('terminal_event_id'),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
  finishedAt: integer('finished_at'),
  filesExpireAt: integer('files_expire_at'),
  filesDeletedAt: integer('files_deleted_at'),
  source: text({ mode: 'json' }).$type<VideoSource>(),
  sourceExpiresAt: integer('source_expires_at'),
  sourceDeletedAt: integer('source_deleted_at'),
  batchId: text('batch_id'),
  work: text(),
  engine: text(),
  filesOf: text('files_of'),
  /** Set by a trigger when the video ends. */
  endedOrder: integer('ended_order'),
})
export type VideoRow = typeof videos.$inferSelect

export const batches = sqliteTable('batches', {
  id: text().primaryKey(),
  accountId: text('account_id').notNull(),
  preset: text(),
  webhookUrl: text('webhook_url'),
  videoIds: text('video_ids', { mode: 'json' }).$type<string[]>().notNull(),
  createdAt: integer('created_at').notNull(),
  canceledAt: integer('canceled_at'),
  endedAt: integer('ended_at'),
  /** Null until the batch has ended. */
  counts: text({ mode: 'json' }).$type<BatchCounts>(),
  endedEventId: text('ended_event_id'),
  sweepAfter: integer('sweep_after').notNull(),
  expiresAt: integer('expires_at'),
})
export type BatchRow = typeof batches.$inferSelect

export const jobs = sqliteTable('jobs', {
  id: text().primaryKey(),
  videoId: text('video_id').notNull(),
  accountId: text('account_id').notNull(),
  fence: integer().notNull().default(0),
  attempts: integer().notNull().default(0),
  error: text({ mode: 'json' }).$type<StoredJobError>(),
  sweepAfter: integer('sweep_after').notNull(),
  sweeps: integer().notNull().default(0),
  deadLetteredAt: integer('dead_lettered_at'),
  createdAt: integer('created_at').notNull(),
  startedAt: integer('started_at'),
  finishedAt: integer('finished_at'),
  chain: integer().notNull().default(0),
  waits: integer().notNull().default(0),
})
export type JobRow = typeof jobs.$inferSelect

/** A video as clients see it: its row, the id of its job, and why the job failed. */
export type ShownVideo = VideoRow & {
  jobId: string
  jobError: StoredJobError | null
  /** When the first attempt began. */
  startedAt: number | null
  /** Not in the database: how much longer a running job works, from its object. */
  left?: (TimeLeftRange & { at: number }) | undefined
}
export const shownVideo = {
  ...getTableColumns(videos),
  // Named differently from the id of the video, because a batch answers with objects.
  jobId: sql<string>`${jobs.id}`.as('job_id'),
  jobError: jobs.error,
  startedAt: jobs.startedAt,
}

export const jobAttempts = sqliteTable(
  'job_attempts',
  {
    jobId: text('job_id').notNull(),
    fence: integer().notNull(),
    attempt: integer().notNull(),
    startedAt: integer('started_at').notNull(),
    finishedAt: integer('finished_at'),
    outcome: text().$type<AttemptOutcome>(),
    trace: text({ mode: 'json' }).$type<StoredTrace>(),
  },
  (table) => [primaryKey({ columns: [table.jobId, table.fence] })],
)
export type AttemptRow = typeof jobAttempts.$inferSelect

export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    keyId: text('key_id').notNull(),
    endpoint: text().notNull(),
    idempotencyKey: text('idempotency_key').notNull(),
    fingerprint: text().notNull(),
    responseStatus: integer('response_status'),
    responseBody: text('response_body'),
    leaseUntil: integer('lease_until').notNull(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.keyId, table.endpoint, table.idempotencyKey] })],
)

export const undelivered = sqliteTable('undelivered', {
  videoId: text('video_id').primaryKey(),
  accountId: text('account_id').notNull(),
  jobId: text('job_id').notNull(),
  createdAt: integer('created_at').notNull(),
  sweepAfter: integer('sweep_after').notNull(),
})

export const keptWords = sqliteTable(
  'kept_words',
  {
    accountId: text('account_id').notNull(),
    name: text().notNull(),
    engine: text().notNull(),
    videoId: text('video_id').notNull(),
    sha256: text().notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.name, table.engine, table.videoId] })],
)

export const webhookEvents = sqliteTable('webhook_events', {
  id: text().primaryKey(),
  accountId: text('account_id').notNull(),
  /** Empty for a test. */
  videoId: text('video_id').notNull(),
  type: text().$type<DeliveryType>().notNull(),
  body: text().notNull(),
  createdAt: integer('created_at').notNull(),
})
export type EventRow = typeof webhookEvents.$inferSelect

export const webhookDeliveries = sqliteTable('webhook_deliveries', {
  id: text().primaryKey(),
  eventId: text('event_id').notNull(),
  accountId: text('account_id').notNull(),
  status: text().$type<DeliveryStatus>().notNull(),
  attempts: text({ mode: 'json' }).$type<DeliveryAttempt[]>().notNull().default([]),
  sweepAfter: integer('sweep_after').notNull(),
  createdAt: integer('created_at').notNull(),
  finishedAt: integer('finished_at'),
  attemptCount: integer('attempt_count').notNull().default(0),
  roundStart: integer('round_start').notNull().default(0),
  roundAt: integer('round_at').notNull().default(0),
  dueAt: integer('due_at'),
  sweeps: integer().notNull().default(0),
  url: text().notNull(),
  endpointId: text('endpoint_id'),
})
export type DeliveryRow = typeof webhookDeliveries.$inferSelect

/** `receiving` is a form being read, `dropped` waits for the sweep: no client sees them. */
export type UploadStatus = 'receiving' | 'open' | 'ready' | 'refused' | 'used' | 'dropped'
export type UploadRefusal = { code: 'ValidationError' | 'UnsupportedMediaType'; message: string }

export const uploads = sqliteTable('uploads', {
  id: text().primaryKey(),
  accountId: text('account_id').notNull(),
  status: text().$type<UploadStatus>().notNull(),
  fileName: text('file_name').notNull(),
  contentType: text('content_type').notNull(),
  sizeBytes: integer('size_bytes'),
  partBytes: integer('part_bytes').notNull(),
  multipartId: text('multipart_id').notNull(),
  refusal: text({ mode: 'json' }).$type<UploadRefusal>(),
  videoId: text('video_id'),
  createdAt: integer('created_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
})
export type UploadRow = typeof uploads.$inferSelect

export const uploadParts = sqliteTable(
  'upload_parts',
  {
    uploadId: text('upload_id').notNull(),
    partNumber: integer('part_number').notNull(),
    etag: text().notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    storedAt: integer('stored_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.uploadId, table.partNumber, table.etag] })],
)

export const adminNonces = sqliteTable('admin_nonces', {
  nonce: text().primaryKey(),
  expiresAt: integer('expires_at').notNull(),
})

export const sweepWalks = sqliteTable('sweep_walks', {
  name: text().primaryKey(),
  cursor: text(),
  startedAt: integer('started_at').notNull(),
})

export const tombstones = sqliteTable('tombstones', {
  prefix: text().primaryKey(),
  createdAt: integer('created_at').notNull(),
  listAfter: integer('list_after').notNull(),
})
