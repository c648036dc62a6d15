import { Hono, type Context } from 'hono'
import { publicRoutes, routerPath, type PublicRoute } from '../contract/routes.ts'
import type { AppEnv, Handler } from '../http/app-env.ts'
import { requireScope } from '../http/guard/authenticate.ts'
import { cancelVideo } from '../http/videos/change-video.ts'
import { createPlan } from '../http/videos/create-plan.ts'
import { createVideo } from '../http/videos/create-video.ts'
import { errorResponse } from '../http/error-response.ts'
import { followVideo } from '../http/videos/follow-video.ts'
import { listVideos } from '../http/videos/list-videos.ts'
import { getTranscript } from '../http/videos/get-transcript.ts'
import { getVideo } from '../http/videos/get-video.ts'
import { completeUpload, createUpload, getUpload } from '../http/uploads/uploads.ts'

/** The routes that tools use, by the handlers that serve them to every other client. */
const handlers = {
  createVideo,
  createPlan,
  getVideo,
  listVideos,
  followVideo,
  cancelVideo,
  getTranscript,
  createUpload,
  getUpload,
  completeUpload,
} as const satisfies Partial<Record<PublicRoute, Handler>>

type ToolRoute = keyof typeof handlers

export type ToolCall = {
  route: ToolRoute
  /** The values of the parts in braces of the route's path. */
  at?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string | undefined>>
  headers?: Readonly<Record<string, string>>
  body?: unknown
}

/** The agent's request to which each request to the API belongs. */
const askedIn = new WeakMap<Request, Context<AppEnv>>()

/**
 * Serves tools inside the Worker. When the agent's request arrived, its key was checked and the call counted, so only the
 * caller is set here; the handlers check scopes and everything else.
 */
const api = new Hono<AppEnv>()
api.use(async (c, next) => {
  const outer = askedIn.get(c.req.raw)
  if (!outer) throw new Error('a tool asked without its caller')
  c.set('caller', outer.get('caller'))
  c.set('requestId', outer.get('requestId'))
  await next()
  outer.set('fault', c.get('fault'))
})
for (const [name, handler] of Object.entries(handlers)) {
  const { method, path, needs } = publicRoutes[name as ToolRoute]
  api.on(method, [routerPath(path)], requireScope(needs), handler)
}
api.onError((error, c) => errorResponse(error, c))

/** Sends a request to the API in the name of the agent's key. */
export async function askApi(
  c: Context<AppEnv>,
  { route, at = {}, query = {}, headers = {}, body }: ToolCall,
): Promise<Response> {
  const { method, path } = publicRoutes[route]
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(at[name] ?? ''),
  )
  const url = new URL(filled, c.req.url)
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, value)
  }
  const request = new Request(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  askedIn.set(request, c)
  return api.fetch(request, c.env, c.executionCtx)
}
