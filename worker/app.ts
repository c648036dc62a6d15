import { Hono, type Context } from 'hono'
import type { H } from 'hono/types'
import { etag } from 'hono/etag'
import { adminPath } from './contract/admin.ts'
import { AppError } from './contract/errors.ts'
import type { AppEnv } from './http/app-env.ts'
import { administer } from './http/admin.ts'
import { authenticate, requireScope } from './http/authenticate.ts'
import { cancelVideo, changeVideo, deleteVideo } from './http/change-video.ts'
import { createVideo } from './http/create-video.ts'
import { serveDocs } from './http/docs/serve-docs.tsx'
import { errorResponse } from './http/error-response.ts'
import { readHealth } from './http/health.ts'
import { followVideo } from './http/follow-video.ts'
import { listJobs } from './http/list-jobs.ts'
import { listVideos } from './http/list-videos.ts'
import { observe, secureHeaders } from './http/observe.ts'
import { serveOpenapi } from './http/openapi/serve-openapi.ts'
import { readJob } from './http/read-job.ts'
import { readTranscript } from './http/read-transcript.ts'
import { readVideo } from './http/read-video.ts'
import { grantOutput, receiveReport } from './http/receive-report.ts'
import { allowUploadOrigins, preflightPart, putPart } from './http/receive-part.ts'
import { serveAsset } from './http/serve-asset.ts'
import { preflightFile, serveFile } from './http/serve-file.ts'
import { passUnreadBody } from './http/unread-body.ts'
import { uploadVideo } from './http/upload-video.ts'
import { completeUpload, createUpload, deleteUpload, readUpload } from './http/uploads.ts'
import {
  listDeliveries,
  readSecret,
  redeliverWebhook,
  rotateSecret,
  testWebhook,
} from './http/webhooks.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
// The handlers of one method differ in what their validators prove; the router does not ask.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Steps = readonly H<any, any, any>[]

const mayRead = requireScope('videos:read')
const mayWrite = requireScope('videos:write')

/** Every address of the service with the methods it answers; any other method is a 405 that names these. */
const routes: Record<string, Partial<Record<Method, Steps>>> = {
  // Whoever opens the address of the service in a browser wants to know what it is.
  '/': { GET: [(c) => c.redirect('/docs')] },
  '/health': { GET: [readHealth] },
  '/openapi.json': { GET: [etag(), serveOpenapi] },
  '/docs': { GET: [etag(), serveDocs] },
  '/v1/videos': { GET: [mayRead, ...listVideos], POST: [mayWrite, createVideo] },
  // Before the next one: no video has this for its id.
  '/v1/videos/upload': { POST: [mayWrite, uploadVideo] },
  '/v1/videos/:videoId': {
    GET: [mayRead, readVideo],
    PATCH: [mayWrite, changeVideo],
    DELETE: [mayWrite, deleteVideo],
  },
  '/v1/videos/:videoId/transcript': { GET: [mayRead, ...readTranscript] },
  '/v1/videos/:videoId/events': { GET: [mayRead, followVideo] },
  '/v1/videos/:videoId/cancel': { POST: [mayWrite, cancelVideo] },
  '/v1/uploads': { POST: [mayWrite, createUpload] },
  '/v1/uploads/:uploadId': {
    // What it answers are addresses to write to.
    GET: [mayWrite, readUpload],
    DELETE: [mayWrite, deleteUpload],
  },
  '/v1/uploads/:uploadId/complete': { POST: [mayWrite, completeUpload] },
  '/parts/:token': {
    OPTIONS: [allowUploadOrigins, preflightPart],
    PUT: [allowUploadOrigins, putPart],
  },
  '/v1/jobs': { GET: [mayRead, ...listJobs] },
  '/v1/jobs/:jobId': { GET: [mayRead, readJob] },
  '/v1/webhooks/secret': { GET: [mayWrite, readSecret] },
  '/v1/webhooks/secret/rotate': { POST: [mayWrite, rotateSecret] },
  '/v1/webhooks/test': { POST: [mayWrite, testWebhook] },
  '/v1/webhooks/deliveries': { GET: [mayRead, ...listDeliveries] },
  '/v1/webhooks/deliveries/:deliveryId/redeliver': { POST: [mayWrite, redeliverWebhook] },
  '/favicon.svg': { GET: [serveAsset] },
  '/robots.txt': { GET: [serveAsset] },
  '/files/:token/:name': { GET: [serveFile], OPTIONS: [preflightFile] },
  '/internal/jobs/:jobId/attempts/:fence/reports': { POST: [receiveReport] },
  '/internal/jobs/:jobId/attempts/:fence/reports/outputs': { POST: [grantOutput] },
  [adminPath]: { POST: [administer] },
}

function refuseMethod(allowed: string[]): (c: Context<AppEnv>) => never {
  // Hono answers HEAD wherever it answers GET.
  const methods = allowed.includes('GET') ? [...allowed, 'HEAD'] : allowed
  return (c) => {
    const list = methods.join(', ')
    throw new AppError('MethodNotAllowed', `This address answers ${list}, not ${c.req.method}.`, {
      headers: { Allow: list },
    })
  }
}

export function createApp(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.use(observe, secureHeaders, passUnreadBody)
  app.use('/v1/*', authenticate)
  for (const [path, methods] of Object.entries(routes)) {
    for (const [method, steps] of Object.entries(methods)) app.on(method, [path], ...steps)
    app.all(path, refuseMethod(Object.keys(methods)))
  }
  app.notFound((c) => errorResponse(new AppError('NotFound'), c))
  app.onError((error, c) => errorResponse(error, c))
  return app
}
