import { Hono, type Context, type MiddlewareHandler } from 'hono'
import { etag } from 'hono/etag'
import { trimTrailingSlash } from 'hono/trailing-slash'
import { AppError } from './contract/answers/errors.ts'
import {
  appApiPath,
  appRoutes,
  methods,
  ownRoutes,
  publicRoutes,
  routerPath,
  type AppRoute,
  type Method,
  type OwnRoute,
  type PageRoute,
  type PublicRoute,
  type Route,
} from './contract/routes.ts'
import { appHandlers, ownHandlers, publicHandlers } from './handlers.ts'
import { guardOrigin } from './app/session/guard-origin.ts'
import { knowMember } from './app/session/know-member.ts'
import { actAsMember, requireOwner, requireReader } from './app/session/require-member.ts'
import type { AppEnv, Handler } from './http/app-env.ts'
import { authenticate, continueUpload, requireScope } from './http/guard/authenticate.ts'
import { prefetchVideo } from './http/videos/prefetch-video.ts'
import { errorResponse } from './http/error-response.ts'
import { observe, secureHeaders } from './http/observe.ts'
import { nothingAt } from './http/point-to-route.ts'
import { allowUploadOrigins } from './http/uploads/receive-part.ts'
import { passUnreadBody } from './http/read-body.ts'
import { guardAgentOrigin, answerInRpc } from './mcp/guard-agent-origin.ts'

/** One method of one path, with what a request has to pass on its way to the handler. */
type Served = {
  method: Method
  path: string
  guards: MiddlewareHandler<AppEnv>[]
  handler: Handler
}

function handledBy<Name extends string, Listed extends { method: Method; path: string }>(
  routes: Readonly<Record<Name, Listed>>,
  handlers: Readonly<Record<Name, Handler>>,
  guardsOf: (route: Listed) => MiddlewareHandler<AppEnv>[],
): Served[] {
  // Object.keys() loses the type of the keys; this table has no others.
  const names = Object.keys(routes) as Name[]
  return names.map((name) => {
    const { method, path } = routes[name]
    return { method, path, guards: guardsOf(routes[name]), handler: handlers[name] }
  })
}

function scopeGuard({ needs }: Route): MiddlewareHandler<AppEnv>[] {
  return needs === 'open' ? [] : [requireScope(needs)]
}

/** Every route of /v1 once more below /app/api, for the scripts of the dashboard. */
function servedToMembers(): Served[] {
  const guardsOf = (route: Route) => [
    ...(route.ownersOnly ? [requireOwner] : []),
    ...scopeGuard(route),
  ]
  return handledBy<PublicRoute, Route>(publicRoutes, publicHandlers, guardsOf).flatMap((served) =>
    served.path.startsWith('/v1/')
      ? [{ ...served, path: served.path.replace('/v1', appApiPath) }]
      : [],
  )
}

function refuseMethod(routes: readonly Served[]): (c: Context<AppEnv>) => never {
  const answered = methods.filter((method) => routes.some((route) => route.method === method))
  // Hono answers HEAD wherever it answers GET.
  const list = [...answered, ...(answered.includes('GET') ? ['HEAD'] : [])].join(', ')
  return (c) => {
    throw new AppError('MethodNotAllowed', `This address answers ${list}, not ${c.req.method}.`, {
      headers: { Allow: list },
    })
  }
}

/** Registers every path with the methods it answers; any other method gets a 405 that lists them. */
function serveRoutes(app: Hono<AppEnv>): void {
  const served = [
    ...handledBy<PublicRoute, Route>(publicRoutes, publicHandlers, scopeGuard),
    ...handledBy<OwnRoute, Route>(ownRoutes, ownHandlers, scopeGuard),
    ...servedToMembers(),
    ...handledBy<AppRoute, PageRoute>(appRoutes, appHandlers, (page) =>
      page.for === 'anyone' ? [] : [requireReader(page.for)],
    ),
  ]
  for (const [path, routes] of Map.groupBy(served, (route) => routerPath(route.path))) {
    for (const { method, guards, handler } of routes) app.on(method, [path], ...guards, handler)
    app.all(path, refuseMethod(routes))
  }
}

export function createApp(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.use(observe, secureHeaders, passUnreadBody)
  app.get(routerPath(publicRoutes.getVideo.path), prefetchVideo)
  app.use(`${routerPath(publicRoutes.getUpload.path)}/*`, continueUpload)
  app.use('/v1/*', authenticate)
  app.use(ownRoutes.serveMcp.path, answerInRpc, guardAgentOrigin, authenticate)
  app.use('/app/*', guardOrigin, knowMember)
  app.use(`${appApiPath}/uploads/:uploadId/*`, continueUpload)
  app.use(`${appApiPath}/*`, actAsMember)
  app.get(publicRoutes.getOpenapi.path, etag())
  app.get(`${publicRoutes.getDocs.path}/*`, etag(), trimTrailingSlash())
  app.on(['PUT', 'OPTIONS'], routerPath(publicRoutes.putPart.path), allowUploadOrigins)
  serveRoutes(app)
  app.notFound((c) => errorResponse(nothingAt(c.req.method, c.req.path), c))
  app.onError((error, c) => errorResponse(error, c))
  return app
}
