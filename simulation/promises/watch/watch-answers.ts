import type { World } from '../../engine/world.ts'

type Asked = { method: string; path: string; idempotencyKey?: string | undefined }
type Answered = { status: number; text: string; headers: Headers }
type Body = Record<string, unknown>
type Refusal = {
  error: string
  message: string
  retryAfter?: number
  requestId?: string
  details?: readonly unknown[]
}

/** What each address makes: the field that names it, and where it is read. */
const made: Readonly<Record<string, { field: string; at: string }>> = {
  '/v1/videos': { field: 'videoId', at: '/v1/videos' },
  '/v1/videos/upload': { field: 'videoId', at: '/v1/videos' },
  '/v1/batches': { field: 'batchId', at: '/v1/batches' },
  '/v1/uploads': { field: 'uploadId', at: '/v1/uploads' },
  '/v1/webhooks/endpoints': { field: 'endpointId', at: '/v1/webhooks/endpoints' },
}
const statuses: Readonly<Record<string, number>> = {
  ...{ ValidationError: 400, Unauthorized: 401, BudgetExceeded: 402, Forbidden: 403 },
  ...{ QuotaExceeded: 403, NotFound: 404, MethodNotAllowed: 405, Conflict: 409 },
  ...{ LengthRequired: 411, PayloadTooLarge: 413, UnsupportedMediaType: 422 },
  ...{ RateLimitExceeded: 429, StorageError: 500, InternalError: 500 },
  ...{ ServiceUnavailable: 503, InsufficientStorage: 507 },
}
/** What browsers and caches are told with every answer. */
const always = [
  ...['X-Content-Type-Options', 'Referrer-Policy', 'Content-Security-Policy', 'Cache-Control'],
  ...['Cross-Origin-Resource-Policy', 'Strict-Transport-Security'],
]
/** With these a client has to hear when it is worth asking again. */
const mayCome = new Set([402, 429])

/** A sequence of chance has one of four thousand million beginnings, so two requests of a world may have the same. */
const mostAlike = 2

/** Hears every answer of the API: what it tells beside its body is as documented, for everybody who asks. */
export function watchAnswers(world: World): (asked: Asked, answer: Answered) => void {
  const watch = new WatchAnswers(world)
  return (asked, answer) => watch.heard(asked, answer)
}

class WatchAnswers {
  readonly #world: World
  /** What was answered to creates that were not said to be repeated. */
  readonly #first = new Set<string>()
  /** How often each name was given. */
  readonly #names = new Map<string, number>()

  constructor(world: World) {
    this.#world = world
  }

  heard(asked: Asked, answer: Answered): void {
    if (!asked.path.startsWith('/v1/')) return
    const wrong =
      this.#wrongBeside(answer) ??
      (answer.status < 400 ? this.#wrongInMade(asked, answer) : wrongInRefusal(answer))
    if (wrong === undefined) return
    this.#world.break(`${asked.method} ${asked.path} was answered ${answer.status} ${wrong}`)
  }

  /** Each answer has a name of its own, and tells what may be done with it. */
  #wrongBeside({ headers }: Answered): string | undefined {
    const lacks = always.find((header) => !headers.has(header))
    if (lacks !== undefined) return `without ${lacks}`
    const name = headers.get('X-Request-Id') ?? ''
    const times = 1 + (this.#names.get(name) ?? 0)
    this.#names.set(name, times)
    return name === '' || times > mostAlike ? `with the name ${name}` : undefined
  }

  /** What is made is named with its address, and only the first of several answers is not called a repetition. */
  #wrongInMade({ method, path, idempotencyKey }: Asked, answer: Answered): string | undefined {
    const { status, text, headers } = answer
    const one = made[path]
    if (method !== 'POST' || !one || (status !== 201 && status !== 202)) return undefined
    const id = String((JSON.parse(text) as Body)[one.field])
    const location = headers.get('Location')
    if (location !== `${one.at}/${id}`) return `with the Location ${location}`
    const isRepeated = headers.get('Idempotent-Replayed') === 'true'
    if (isRepeated && idempotencyKey === undefined) return 'as a repetition, without a key'
    if (isRepeated) return undefined
    if (this.#first.has(id)) return `with ${id} twice, and is not called a repetition`
    this.#first.add(id)
    return undefined
  }
}

/** A refusal says what it is in the same way everywhere, and when it is over. */
function wrongInRefusal({ status, text, headers }: Answered): string | undefined {
  if (status === 412 || status === 416) return undefined
  const { error, message, retryAfter = null, requestId, details = [] } = JSON.parse(text) as Refusal
  if (statuses[error] !== status) return `with the error ${error}`
  if (!message) return 'without a message'
  if (status === 400 && details.length === 0) return 'without a field that is wrong'
  const told = headers.get('Retry-After')
  if (told !== (retryAfter === null ? null : `${retryAfter}`))
    return `with Retry-After ${told}, and ${retryAfter} in its body`
  if (mayCome.has(status) && Number(told) < 1) return `without a Retry-After: ${text}`
  if (status === 401 && !headers.get('WWW-Authenticate')?.startsWith('Bearer '))
    return 'without a challenge'
  const name = status >= 500 ? headers.get('X-Request-Id') : undefined
  return requestId === name ? undefined : `with the name ${requestId} in its body`
}
