import * as batches from '../../contract/batches/batch.ts'
import * as uploads from '../../contract/direct-upload.ts'
import { createVideo, fileEntry } from '../../contract/options/create-video.ts'
import * as fields from '../../contract/options/elements/element-fields.ts'
import { captions, captionSource } from '../../contract/options/captions/captions.ts'
import { element } from '../../contract/options/elements/elements.ts'
import { errorBody } from '../../contract/answers/error-body.ts'
import { health } from '../../contract/answers/health.ts'
import { jobAttempt, jobError, jobPage, jobRecord } from '../../contract/job/job-record.ts'
import * as keys from '../../contract/people/key-record.ts'
import { videoPage } from '../../contract/video/list-videos.ts'
import * as presets from '../../contract/options/presets/preset.ts'
import * as storages from '../../contract/storages/storage.ts'
import { segment } from '../../contract/options/cuts.ts'
import { output } from '../../contract/options/outputs/outputs.ts'
import * as usage from '../../contract/usage.ts'
import { check } from '../../contract/job/check.ts'
import { chapter, suggestedClip, suggestion, videoMetadata } from '../../contract/job/report.ts'
import { shownScene } from '../../contract/job/reframed.ts'
import { foreseenResult, foreseenSource, likely } from '../../contract/job/foresight.ts'
import { plan } from '../../contract/video/video-plan.ts'
import * as records from '../../contract/video/video-record.ts'
import * as webhooks from '../../contract/webhooks/webhook-delivery.ts'
import * as feed from '../../contract/webhooks/webhook-feed.ts'
import * as endpoints from '../../contract/webhooks/webhook-endpoint.ts'
import { webhookEvent, webhookTestEvent } from '../../contract/webhooks/webhook-event.ts'
import { bodies } from './operations.ts'
import { toJsonSchemas, type SchemaMap, type JsonSchema } from './json-schemas.ts'

const [imageElement, gifElement, videoElement, audioElement, textElement] = element.options

/** Parts of requests, which a record echoes as they were sent. */
const shared: SchemaMap = {
  FileEntry: fileEntry,
  Segment: segment,
  Element: element,
  ImageElement: imageElement,
  GifElement: gifElement,
  VideoElement: videoElement,
  AudioElement: audioElement,
  TextElement: textElement,
  Timing: fields.timing,
  Position: fields.position,
  Size: fields.size,
  VisualEffects: fields.visualEffects,
  VideoEffects: fields.videoEffects,
  AudioEffects: fields.audioEffects,
  Fade: fields.fade,
  Captions: captions,
  CaptionSource: captionSource,
  Output: output,
}

const answers: SchemaMap = {
  VideoAccepted: records.videoAccepted,
  Video: records.videoRecord,
  VideoPage: videoPage,
  VideoPlan: records.videoPlan,
  Plan: plan,
  Check: check,
  ForeseenSource: foreseenSource,
  ForeseenResult: foreseenResult,
  Likely: likely,
  VideoMetadata: videoMetadata,
  VideoOutput: records.shownOutput,
  Suggestion: suggestion,
  SuggestedClip: suggestedClip,
  ShownScene: shownScene,
  Chapter: chapter,
  TranscriptState: records.transcriptState,
  AnalysisState: records.analysisState,
  Transcript: records.transcriptRecord,
  Job: jobRecord,
  JobPage: jobPage,
  JobAttempt: jobAttempt,
  JobError: jobError,
  BatchAccepted: batches.batchAccepted,
  Batch: batches.batchRecord,
  BatchWithVideos: batches.batchWithVideos,
  BatchPage: batches.batchPage,
  BatchItem: batches.batchItem,
  BatchCounts: batches.batchCounts,
  BatchEvent: batches.batchEvent,
  UploadOpened: uploads.uploadOpened,
  Upload: uploads.uploadRecord,
  UploadCompleted: uploads.uploadCompleted,
  ReceivedPart: uploads.receivedPart,
  PartAddress: uploads.partAddress,
  Health: health,
  WebhookEvent: webhookEvent,
  WebhookTestEvent: webhookTestEvent,
  WebhookDelivery: webhooks.deliveryRecord,
  WebhookAttempt: webhooks.deliveryAttempt,
  WebhookDeliveryPage: webhooks.deliveryPage,
  WebhookFeedEvent: feed.feedEvent,
  WebhookFeedPage: feed.feedPage,
  WebhookEndpoint: endpoints.endpointRecord,
  WebhookEndpointPage: endpoints.endpointPage,
  WebhookSecret: webhooks.webhookSecretRecord,
  Storage: storages.storageRecord,
  StoragePage: storages.storagePage,
  Preset: presets.presetRecord,
  PresetPage: presets.presetPage,
  Usage: usage.usageRecord,
  UsageDay: usage.usageDay,
  RateWindow: usage.rateWindowState,
  Key: keys.keyRecord,
  IssuedKey: keys.issuedKey,
  KeyPage: keys.keyPage,
  Error: errorBody,
}

type Schemas = {
  /** components.schemas */
  schemas: Record<string, JsonSchema>
  requests: Record<string, JsonSchema>
}

let described: Schemas | undefined

/** Made once, when first needed, because zod takes some ten milliseconds. */
export function describeSchemas(): Schemas {
  return (described ??= makeSchemas())
}

function makeSchemas(): Schemas {
  const requests = Object.fromEntries(bodies.map(([name, { schema }]) => [name, schema]))
  const sent = toJsonSchemas({ ...shared, ...requests }, 'input')
  const answered = toJsonSchemas({ ...shared, ...answers }, 'output')
  return {
    // Items of a batch refer to the body of a create.
    schemas: { ...pick(answered, answers), ...pick(sent, { ...shared, CreateVideo: createVideo }) },
    requests: pick(sent, requests),
  }
}

function pick(schemas: Record<string, JsonSchema>, names: SchemaMap): Record<string, JsonSchema> {
  return Object.fromEntries(Object.keys(names).map((name) => [name, schemas[name] ?? {}]))
}
