import { runInDurableObject } from 'cloudflare:test'
import { vi } from 'vitest'
import { jobRunner } from '../../../worker/durable/job/job-runner.ts'
import { deliveryMessage } from '../../../worker/queue/message.ts'
import { bindings, prototypeOf } from '../../support/worker/bindings.ts'
import type { JobQueue } from '../../support/worker/job-queue.ts'
import type { MediaWorkers } from '../../support/worker/media-workers.ts'
import { watchCalls } from '../../support/worker/platform/watch-calls.ts'
import { FaultPoints } from './fault-points.ts'
import { nameBatch, nameStatement } from './name-statement.ts'

type Prepared = { statement: string }
type Call = (...given: unknown[]) => unknown
/** Undefined: not a point. */
type NameCall = (self: unknown, given: unknown[]) => string | undefined

/** Intercepts every call between the service and everything else during one test. */
export async function watchEverything(queue: JobQueue, media: MediaWorkers): Promise<FaultPoints> {
  const points = new FaultPoints()
  watchDatabase(points)
  watchBucket(points)
  await watchObjects(points)
  const keep = queue.keep.bind(queue)
  queue.keep = (body, options) => {
    const kind = deliveryMessage.safeParse(body).success ? 'delivery' : 'job'
    points.meetNow(`queue: send ${kind}`, () => keep(body, options))
  }
  const answer = media.answer.bind(media)
  media.answer = async (request) =>
    points.meet(nameRequest(media, request), async () => answer(request))
  return points
}

function nameRequest({ urls }: MediaWorkers, { url }: Request): string {
  const { origin, pathname } = new URL(url)
  return urls.includes(origin) ? `media worker: ${pathname}` : 'receiver: POST'
}

function watch(points: FaultPoints, owner: object, method: string, name: NameCall): void {
  const original = Reflect.get(owner, method) as Call
  vi.spyOn(owner as Record<string, Call>, method).mockImplementation(async function (
    this: unknown,
    ...given: unknown[]
  ) {
    const point = name(this, given)
    const work = () => original.apply(this, given)
    return point === undefined ? work() : points.meet(point, work)
  })
}

/** Synchronous writes of an object take effect at once, and its reads are not points. */
function watchNow(
  points: FaultPoints,
  owner: object,
  method: string,
  name: (given: unknown[]) => string | undefined,
): void {
  const original = Reflect.get(owner, method) as Call
  vi.spyOn(owner as Record<string, Call>, method).mockImplementation(function (
    this: unknown,
    ...given: unknown[]
  ) {
    const point = name(given)
    const work = () => original.apply(this, given)
    return point === undefined ? work() : points.meetNow(point, work)
  })
}

function watchDatabase(points: FaultPoints): void {
  watch(points, prototypeOf(bindings.DB), 'batch', (_, [all]) =>
    nameBatch((all as Prepared[]).map(({ statement }) => statement)),
  )
  const prepared = prototypeOf(bindings.DB.prepare('SELECT 1'))
  for (const method of ['all', 'run', 'raw', 'first']) {
    watch(points, prepared, method, (self) => {
      const { statement } = self as Prepared
      return isNoteOfUse(statement) ? undefined : nameStatement('D1', statement)
    })
  }
}

/** The gate notes once in minutes, beside whatever is asked, when its key was used last: no run meets it twice alike. */
function isNoteOfUse(statement: string): boolean {
  return /^update "api_keys" set "last_used_at"/.test(statement)
}

/** The text after the last slash says what the object is; the rest is ids. */
function lastOf(key: unknown): string {
  return String(key).split('/').at(-1) ?? ''
}

/** The objects of the archive and the traces are named after ids, which no two runs share. */
function nameObject(key: unknown): string {
  const [folder = '', , kind = ''] = String(key).split('/')
  if (folder === 'traces') return 'trace'
  return folder === 'archive' ? `archive ${kind}` : lastOf(key)
}

function watchBucket(points: FaultPoints): void {
  const bucket = prototypeOf(bindings.BUCKET)
  watch(points, bucket, 'createMultipartUpload', (_, [key]) => `R2: begin ${lastOf(key)}`)
  watch(points, bucket, 'put', (_, [key]) => `R2: put ${nameObject(key)}`)
  watch(points, bucket, 'delete', () => 'R2: delete')
  watch(points, bucket, 'list', () => 'R2: ask for a list')
  watch(points, bucket, 'head', (_, [key]) => `R2: ask for ${nameObject(key)}`)
  const multipart = prototypeOf(bindings.BUCKET.resumeMultipartUpload('none', 'none'))
  for (const method of ['uploadPart', 'complete', 'abort']) {
    watch(
      points,
      multipart,
      method,
      (self) => `R2: ${method} ${lastOf((self as R2MultipartUpload).key)}`,
    )
  }
}

async function watchObjects(points: FaultPoints): Promise<void> {
  const stub = jobRunner(bindings, 'nobody')
  await runInDurableObject(stub, (_, state) => {
    const { storage } = state
    watchCalls(prototypeOf(state), 'waitUntil', (self, [promise]) => {
      const begun = points.background.get(self) ?? []
      points.background.set(self, [...begun, promise as Promise<unknown>])
    })
    watchNow(points, prototypeOf(storage.kv), 'put', ([key]) => nameMemory(String(key)))
    watchNow(points, prototypeOf(storage.sql), 'exec', ([statement]) => nameNote(String(statement)))
    watch(points, prototypeOf(storage), 'setAlarm', () => 'object: set alarm')
    watch(points, prototypeOf(storage), 'deleteAll', () => 'object: forget everything')
  })
}

function nameMemory(key: string): string | undefined {
  if (key === 'run') return 'object: remember'
  return key.startsWith('part/') || key === 'film' ? 'object: remember a part' : undefined
}

/** The writes of an endpoint to its book. */
function nameNote(statement: string): string | undefined {
  if (/^\s*(select|create)\b/i.test(statement)) return undefined
  return nameStatement('object', statement)
}
