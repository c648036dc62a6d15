export type * from './api-types.ts'
export {
  ApiError,
  ConnectionError,
  SpoolError,
  TimeoutError,
  VideoFailedError,
  WebhookVerificationError,
  type ErrorCode,
  type Fault,
} from './errors.ts'
export type { Fetch } from './http/exchange.ts'
export type { CallOptions } from './http/transport.ts'
export { Listing, type Page } from './listing.ts'
export type { WaitForBatchOptions } from './resources/batches.ts'
export type { Templated, TemplatedPreset } from './resources/templates.ts'
export type { UploadOptions, UploadProgress } from './resources/uploads.ts'
export type { UsageQuery } from './resources/usage.ts'
export type {
  CreateOptions,
  ListVideosQuery,
  UploadRequest,
  WaitOptions,
} from './resources/videos.ts'
export { Spool, type SpoolOptions } from './spool.ts'
export type { UploadSource } from './upload/open-source.ts'
export { sendParts, type PartPlan, type SendPartsOptions } from './upload/send-parts.ts'
export {
  unwrapWebhook,
  type SpoolEvent,
  type UnwrapOptions,
  type WebhookHeaders,
} from './webhook/unwrap-webhook.ts'
