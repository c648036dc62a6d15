import { AsyncLocalStorage } from 'node:async_hooks'
import { runInDurableObject } from 'cloudflare:test'
import { DurableObject } from 'cloudflare:workers'
import { jobRunner } from '../../../../worker/durable/job/job-runner.ts'
import * as service from '../../../../worker/index.ts'
import { bindings, prototypeOf } from '../bindings.ts'

/** Limits that the platform has published for a paid plan, and that its local runtime does not hold. */
export const platformLimits = {
  statements: 1_000,
  subrequests: 10_000,
  parameters: 100,
  statementBytes: 100_000,
  valueBytes: 2_000_000,
  storedBytes: 2_000_000,
  messageBytes: 128_000,
  batchMessages: 100,
  batchBytes: 256_000,
  delaySeconds: 43_200,
  objectKeyBytes: 1_024,
  objectsDeleted: 1_000,
}

/** One event that the platform gives to the service: a request, a batch of messages, a tick, a call of an object. */
class Invocation {
  statements = 0
  subrequests = 0
  readonly name: string

  constructor(name: string) {
    this.name = name
  }

  count(what: 'statements' | 'subrequests', number = 1): void {
    this[what] += number
    hold(what, this[what])
  }
}

const invocations = new AsyncLocalStorage<Invocation>()
const broken = new Set<string>()

/** The limits that were broken since the last call. A test fails for them even if the service caught the error. */
export function takeBroken(): string[] {
  const all = [...broken]
  broken.clear()
  return all
}

/** Counts a call that leaves the service for a stand-in. */
export function countSubrequest(): void {
  invocations.getStore()?.count('subrequests')
}

function hold(limit: keyof typeof platformLimits, amount: number): void {
  const invocation = invocations.getStore()
  if (!invocation || amount <= platformLimits[limit]) return
  const fault = `${invocation.name}: ${limit} ${amount}, of at most ${platformLimits[limit]}`
  broken.add(fault)
  throw new Error(fault)
}

const encoder = new TextEncoder()

function bytesOf(value: unknown): number {
  if (typeof value === 'string') return encoder.encode(value).length
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return value.byteLength
  return encoder.encode(JSON.stringify(value) ?? '').length
}

/** A message to a queue must be small. Stand-ins for the queue ask too. */
export function holdMessage(body: unknown, options?: QueueSendOptions): void {
  hold('messageBytes', bytesOf(body))
  hold('delaySeconds', options?.delaySeconds ?? 0)
}

export function holdMessages(messages: readonly MessageSendRequest[]): void {
  hold('batchMessages', messages.length)
  hold(
    'batchBytes',
    messages.reduce((sum, { body }) => sum + bytesOf(body), 0),
  )
  for (const { body, delaySeconds } of messages) {
    holdMessage(body, delaySeconds === undefined ? {} : { delaySeconds })
  }
}

type Method = (...given: unknown[]) => unknown

/** Calls `check` before every call of a method. Spies of tests come on top of it. */
function before(owner: object, method: string, check: (self: never, given: never) => void): void {
  const original = Reflect.get(owner, method) as Method
  Reflect.set(owner, method, function (this: unknown, ...given: unknown[]) {
    check(this as never, given as never)
    return original.apply(this, given)
  })
}

type Prepared = { statement: string; params: unknown[] }

function holdStatement({ statement, params }: Prepared): void {
  hold('statementBytes', bytesOf(statement))
  hold('parameters', params.length)
  for (const value of params) hold('valueBytes', bytesOf(value))
}

function holdDatabase(): void {
  before(prototypeOf(bindings.DB), 'batch', (_, [all]: [Prepared[]]) => {
    invocations.getStore()?.count('statements', all.length)
    invocations.getStore()?.count('subrequests')
    for (const one of all) holdStatement(one)
  })
  const prepared = prototypeOf(bindings.DB.prepare('SELECT 1'))
  for (const method of ['all', 'run', 'raw', 'first']) {
    before(prepared, method, (self: Prepared) => {
      invocations.getStore()?.count('statements')
      invocations.getStore()?.count('subrequests')
      holdStatement(self)
    })
  }
}

function holdBucket(): void {
  const bucket = prototypeOf(bindings.BUCKET)
  for (const method of ['get', 'put', 'head', 'createMultipartUpload']) {
    before(bucket, method, (_, [key]: [string]) => {
      countSubrequest()
      hold('objectKeyBytes', bytesOf(key))
    })
  }
  before(bucket, 'list', countSubrequest)
  before(bucket, 'delete', (_, [keys]: [string | string[]]) => {
    countSubrequest()
    hold('objectsDeleted', [keys].flat().length)
  })
  const multipart = prototypeOf(bindings.BUCKET.resumeMultipartUpload('none', 'none'))
  for (const method of ['uploadPart', 'complete', 'abort']) {
    before(multipart, method, countSubrequest)
  }
}

function holdQueues(): void {
  const queue = prototypeOf(bindings.JOBS)
  before(queue, 'send', (_, [body, options]: [unknown, QueueSendOptions?]) => {
    countSubrequest()
    holdMessage(body, options)
  })
  before(queue, 'sendBatch', (_, [messages]: [Iterable<MessageSendRequest>]) => {
    countSubrequest()
    holdMessages([...messages])
  })
}

/** Each call of an object is an invocation of its own, and a subrequest of the caller that gets its stub. */
function holdObjects(): void {
  const namespace = prototypeOf(bindings.JOB_RUNNER)
  for (const method of ['get', 'getByName']) before(namespace, method, countSubrequest)
  for (const [name, found] of Object.entries(service)) {
    if (typeof found === 'function' && found.prototype instanceof DurableObject) {
      wrapMethods(found.prototype, name)
    }
  }
}

function wrapMethods(owner: object, name: string): void {
  for (const method of Object.getOwnPropertyNames(owner)) {
    const value: unknown = Object.getOwnPropertyDescriptor(owner, method)?.value
    if (method === 'constructor' || typeof value !== 'function') continue
    Reflect.set(owner, method, function (this: unknown, ...given: unknown[]) {
      const work = () => (value as Method).apply(this, given)
      return invocations.run(new Invocation(`${name}.${method}`), work)
    })
  }
}

/** The storage of all objects has one prototype, which only an object can be asked for. */
async function holdStorage(): Promise<void> {
  await runInDurableObject(jobRunner(bindings, 'nobody'), (_, { storage }) => {
    before(prototypeOf(storage.kv), 'put', (_self, [key, value]: [string, unknown]) =>
      hold('storedBytes', bytesOf(key) + bytesOf(value)),
    )
    before(prototypeOf(storage.sql), 'exec', (_self, [text, ...params]: [string, ...unknown[]]) =>
      holdStatement({ statement: text, params }),
    )
  })
}

function holdEvents(): void {
  const events = service.default as unknown as Record<string, Method>
  for (const name of ['fetch', 'queue', 'scheduled']) {
    const original = events[name]
    if (!original) throw new Error(`the Worker takes no event ${name}`)
    events[name] = (...given) => invocations.run(new Invocation(name), () => original(...given))
  }
}

// Once for each process, because the files of the tests share what this changes, and before any of them puts its own
// spies on top.
holdDatabase()
holdBucket()
holdQueues()
holdObjects()
holdEvents()
await holdStorage()
