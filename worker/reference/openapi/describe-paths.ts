import { publicRoutes, type PublicRoute, type Route } from '../../contract/routes.ts'
import { createVideoOperation } from './operations/create-video-operation.ts'
import * as endpoint from './operations/endpoint-operations.ts'
import { followVideoOperation } from './operations/follow-operation.ts'
import * as key from './operations/key-operations.ts'
import type { DescribedOperation, Method, Operation, PathItem } from './openapi-types.ts'
import * as other from './operations/other-operations.ts'
import * as preset from './operations/preset-operations.ts'
import * as upload from './operations/upload-operations.ts'
import { readUsageOperation } from './operations/usage-operation.ts'
import { uploadVideoOperation } from './operations/upload-video-operation.ts'
import * as video from './operations/video-operations.ts'
import * as webhook from './operations/webhook-operations.ts'

const operations: Readonly<Record<PublicRoute, DescribedOperation>> = {
  createVideo: createVideoOperation,
  listVideos: video.listVideosOperation,
  uploadVideo: uploadVideoOperation,
  getVideo: video.readVideoOperation,
  changeVideo: video.changeVideoOperation,
  deleteVideo: video.deleteVideoOperation,
  followVideo: followVideoOperation,
  cancelVideo: video.cancelVideoOperation,
  getTranscript: video.readTranscriptOperation,
  createUpload: upload.createUploadOperation,
  getUpload: upload.readUploadOperation,
  deleteUpload: upload.deleteUploadOperation,
  completeUpload: upload.completeUploadOperation,
  putPart: upload.putPartOperation,
  preflightPart: upload.preflightPartOperation,
  listJobs: other.listJobsOperation,
  getJob: other.readJobOperation,
  getWebhookSecret: webhook.readSecretOperation,
  rotateWebhookSecret: webhook.rotateSecretOperation,
  listWebhookEndpoints: endpoint.listEndpointsOperation,
  createWebhookEndpoint: endpoint.createEndpointOperation,
  getWebhookEndpoint: endpoint.readEndpointOperation,
  changeWebhookEndpoint: endpoint.changeEndpointOperation,
  deleteWebhookEndpoint: endpoint.deleteEndpointOperation,
  testWebhook: webhook.testWebhookOperation,
  listWebhookEvents: webhook.listEventsOperation,
  listWebhookDeliveries: webhook.listDeliveriesOperation,
  redeliverWebhook: webhook.redeliverOperation,
  listPresets: preset.listPresetsOperation,
  getPreset: preset.readPresetOperation,
  putPreset: preset.putPresetOperation,
  deletePreset: preset.deletePresetOperation,
  getUsage: readUsageOperation,
  createKey: key.createKeyOperation,
  listKeys: key.listKeysOperation,
  getKey: key.readKeyOperation,
  renameKey: key.renameKeyOperation,
  revokeKey: key.revokeKeyOperation,
  getFile: other.readFileOperation,
  preflightFile: other.preflightFileOperation,
  getHealth: other.healthOperation,
  getOpenapi: other.documentOperation,
  getDocs: other.docsOperation,
}

/** Every path of the route table with its operations. */
export function describePaths(): Record<string, PathItem> {
  const paths: Record<string, PathItem> = {}
  for (const [name, route] of Object.entries(publicRoutes)) {
    // Object.entries() loses the type of the keys; the table has no others.
    const operation = describeOperation(name, operations[name as PublicRoute], route)
    paths[route.path] = { ...paths[route.path], [methodOf(route)]: operation, ...headOf(route) }
  }
  return paths
}

/** The router answers HEAD wherever it answers GET, but only the HEAD of a file is worth describing. */
function headOf(route: Route): PathItem {
  if (route !== publicRoutes.getFile) return {}
  return { head: describeOperation('headFile', other.headFileOperation, route) }
}

const methodOf = ({ method }: Route) => method.toLowerCase() as Method

function describeOperation(
  operationId: string,
  { tags, summary, description, ...rest }: DescribedOperation,
  { needs }: Route,
): Operation {
  const named = { operationId, tags, summary }
  if (needs === 'open') return { ...named, description, security: [], ...rest }
  return { ...named, description: `${description}\n\nNeeds the scope \`${needs}\`.`, ...rest }
}
