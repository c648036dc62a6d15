import { AppError } from '../contract/answers/errors.ts'
import { nearestName } from '../contract/input/nearest-name.ts'
import { appRoutes, ownRoutes, publicRoutes, type Method } from '../contract/routes.ts'

const { serveMcp, getModelIndex, showReference } = ownRoutes
const pages = Object.values(appRoutes).filter(({ method }) => method === 'GET')

/** Routes to suggest. Paths with a token are left out: the token is a permission, and nobody types one. */
const known: readonly { method: Method; path: string }[] = [
  ...Object.values(publicRoutes),
  ...[serveMcp, getModelIndex, showReference],
  ...pages,
].filter(({ path }) => !path.includes('{token}'))

/** What other services and people call the parts of our paths; `nearestName` knows plurals and typos. */
const otherParts: Readonly<Record<string, readonly string[]>> = {
  videos: ['assets', 'media', 'renders', 'clips', 'edits', 'process', 'convert', 'transcode'],
  uploads: ['files', 'direct_uploads'],
  transcript: ['transcription', 'captions', 'subtitles'],
  events: ['stream', 'follow', 'progress'],
  jobs: ['tasks'],
  presets: ['templates'],
  keys: ['api-keys', 'apikeys', 'tokens'],
  endpoints: ['hooks', 'subscriptions'],
  usage: ['stats', 'quota', 'limits'],
  health: ['healthz', 'ping', 'ready', 'livez', 'status'],
  'openapi.json': ['openapi', 'openapi.yaml', 'swagger', 'swagger.json'],
  docs: ['documentation', 'help', 'api-docs'],
  app: ['dashboard', 'admin', 'console'],
  'sign-in': ['login', 'log-in'],
  'sign-up': ['register'],
}

const longestPath = 200

/** For a path that no route has: an error that names the one that was most likely meant. */
export function nothingAt(method: string, path: string): AppError {
  const meant = path.length > longestPath ? undefined : nearestRoute(method, path)
  if (meant === undefined) return new AppError('NotFound')
  return new AppError('NotFound', `There is nothing at this address. Did you mean ${meant}?`)
}

/** The nearest route, such as `POST /v1/videos`; without the method if that path does not answer it. */
function nearestRoute(method: string, path: string): string | undefined {
  const parts = path.split('/').filter((part) => part !== '')
  // Tries shorter beginnings of the path too: no /v1/videos/v_3RB6SiNw/status exists, but the video itself has a status.
  for (let length = parts.length; length > 0; length--) {
    for (const asked of startsOf(parts.slice(0, length))) {
      const found = nearestOf(method, asked)
      if (found) return found
    }
  }
  return undefined
}

/** The path as given, and with a first part (`v1`, `app`) that may have been forgotten or invented. */
function startsOf(parts: readonly string[]): string[][] {
  const bare = parts.filter((part, at) => at > 1 || !/^(api|v\d+)$/.test(part))
  if (bare.length === 0) return []
  const isOfApi = bare.length < parts.length
  // Other services have their endpoints at /webhooks.
  const endpoints = isMeant(bare.join('/'), 'webhooks') ? [['v1', 'webhooks', 'endpoints']] : []
  return [[...parts], bare, ['v1', ...bare], ...(isOfApi ? endpoints : [['app', ...bare]])]
}

function nearestOf(method: string, asked: readonly string[]): string | undefined {
  const fitting = known.flatMap((route) => {
    const differences = countDifferences(route.path.split('/').slice(1), asked)
    return differences === undefined ? [] : [{ route, differences }]
  })
  const [best] = fitting.sort((a, b) => a.differences - b.differences)
  if (!best) return undefined
  const { path } = best.route
  const answered = known.some((route) => route.path === path && route.method === method)
  const filled = path
    .split('/')
    .slice(1)
    .map((part, at) => (isOpen(part) ? asked[at] : part))
  return `${answered && path.startsWith('/v1/') ? `${method} ` : ''}/${filled.join('/')}`
}

/** How many parts of the path are written differently; undefined if it is another path. */
function countDifferences(parts: readonly string[], asked: readonly string[]): number | undefined {
  if (parts.length !== asked.length) return undefined
  let differences = 0
  for (const [at, part] of parts.entries()) {
    const given = asked[at] ?? ''
    if (part === given) continue
    if (isOpen(part) ? !canFill(part, given) : !isMeant(given, part)) return undefined
    differences++
  }
  return differences
}

function isOpen(part: string): boolean {
  return part.startsWith('{')
}

/** Ids have digits or underscores: there is no video `trim`, so /v1/videos/trim was meant to be something else. */
function canFill(part: string, given: string): boolean {
  return !part.endsWith('Id}') || /[\d_]/.test(given)
}

function isMeant(given: string, part: string): boolean {
  const others = otherParts[part] ?? []
  const name = given.toLowerCase()
  return others.includes(name) || others.includes(`${name}s`) || !!nearestName(name, [part])
}
