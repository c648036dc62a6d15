import { cloned } from '../engine/cloned.ts'
import { here, Life } from '../engine/life.ts'
import { PlainHeaders } from '../engine/plain-headers.ts'
import { PlainAnswer, PlainResponse } from '../engine/plain-response.ts'
import type { Exported } from '../engine/program.ts'
import type { World } from '../engine/world.ts'
import type { Bucket } from './bucket.ts'
import type { Database } from './database.ts'
import type { Network, Sent } from './network.ts'
import { Namespace, type Answered } from './objects.ts'
import { Queue, type Consume } from './queue.ts'
import type { ObjectStorage } from './storage.ts'

export type Disk = { freeBytes: number; totalBytes: number }
type Parts = {
  world: World
  program: Exported
  database: Database
  bucket: Pick<Bucket, 'binding'>
  network: Network
  settings: Record<string, string>
  /** The disk of a service that runs on a machine of its own. */
  disk?: Disk | undefined
  /** Present where each job has a container of its own. */
  containerOf?: (name: string) => unknown
  onGateAnswer?: (call: Answered) => void
  onRunnerAnswer?: (call: Answered) => void
  onDispatcherAnswer?: (call: Answered) => void
  /** Called when the service is done with a message of a dead-letter queue. */
  onDeadLetter?: (body: unknown) => void
}

type Context = {
  waitUntil: (more: Promise<unknown>) => void
  passThroughOnException: () => void
}

export const serviceUrl = 'https://spool.example.com'
/** In the simulated network, this header tells who has opened the connection. The service does not read it. */
export const peerHeader = 'x-opened-by'
export const bucketUrl = 'https://r2.example.com/spool-media'

/** How many isolates run the Worker, and how many have its objects. */
const isolates = 3
const tickMs = 60_000
/** Of a body that comes slowly. */
const pieceBytes = 32
/** The platform ends whatever runs in an older version after this time at the latest. */
const goesOnMs = 30_000

/** The service as it is deployed: its isolates, queues, objects and ticks. */
export class Deployment {
  readonly world: World
  readonly objects: Record<
    'KEY_GATE' | 'JOB_RUNNER' | 'WEBHOOK_ENDPOINT' | 'COURIER' | 'DISPATCHER',
    Namespace
  >
  readonly #parts: Parts
  readonly #isolates = new Map<string, Life>()
  readonly #queues: Queue[]
  #env: Record<string, unknown>
  #generation = 0
  requests = 0
  /** Which messages get lost, while nothing else goes wrong. */
  losesMessage: (body: unknown) => boolean = () => false
  /** Whether the queues take nothing, while nothing else goes wrong. */
  refusesMessages = false
  /** Tells who has guessed too many keys. */
  refusesGuesses: (address: string) => boolean = () => false

  constructor(parts: Parts) {
    this.world = parts.world
    this.#parts = parts
    this.objects = {
      KEY_GATE: this.#namespace('KeyGate'),
      JOB_RUNNER: this.#namespace('JobRunner'),
      WEBHOOK_ENDPOINT: this.#namespace('WebhookEndpoint'),
      COURIER: this.#namespace('Courier'),
      DISPATCHER: this.#namespace('Dispatcher'),
    }
    const jobs = this.#queuePair('spool-jobs', 1)
    const webhooks = this.#queuePair('spool-webhooks', 10)
    this.#queues = [...jobs, ...webhooks]
    const { disk } = parts
    this.#env = {
      ...parts.settings,
      DB: parts.database.binding,
      BUCKET: parts.bucket.binding,
      JOBS: jobs[0].binding,
      WEBHOOKS: webhooks[0].binding,
      ...(disk && { DISK: { fetch: async () => PlainAnswer.json(disk) } }),
      ASSETS: { fetch: async () => new PlainAnswer(null, { status: 404 }) },
      GUESSES: {
        limit: async ({ key }: { key: string }) => ({ success: !this.refusesGuesses(key) }),
      },
      ...Object.fromEntries(Object.entries(this.objects).map(([name, all]) => [name, all.binding])),
    }
  }

  /** The storage of an object, if there is such an object. */
  storageOf(namespace: keyof Deployment['objects'], name: string): ObjectStorage | undefined {
    return this.objects[namespace].cells.get(name)?.storage
  }

  get waitingMessages(): number {
    return this.#queues.reduce((sum, { size }) => sum + size, 0)
  }

  /** Answers a request that has reached the service. Rejects if the isolate dies during it. */
  /** `pieceMs`: how long each piece of the body takes to arrive. */
  async answer(sent: Sent, pieceMs = 0): Promise<Response> {
    this.requests++
    const { pathname } = new URL(sent.url)
    const kind = `${sent.method} ${pathname} for ${sent.headers.get('x-asked') ?? pathname}`
    const life = this.#isolate('web', this.world.draw(`isolate of ${kind} ${this.requests}`))
    const { fetch } = this.#parts.program.default
    const arrive = async (bytes: number) =>
      this.world.loop.pause(pieceMs * Math.ceil(bytes / pieceBytes))
    const request = requestOf(sent, pieceMs > 0 ? arrive : undefined)
    return this.#invoke(life, kind, async (ctx) => fetch(request, this.#env, ctx))
  }

  /** Once the Worker has answered and done what it announced, the platform ends the rest of the work. */
  async #invoke<Value>(
    life: Life,
    kind: string,
    run: (ctx: Context) => Promise<Value> | Value,
  ): Promise<Value> {
    return this.world.run(life, kind, async () => {
      const own = here()
      const left: Promise<unknown>[] = []
      const end = async (): Promise<void> => {
        while (left.length > 0) await Promise.all(left.splice(0))
        this.world.answers(own)
        own.isOver = true
      }
      const answer = await run({
        waitUntil: (more) => void left.push(more.catch(() => undefined)),
        passThroughOnException: () => undefined,
      })
      if (!(answer instanceof PlainResponse && answer.isStream)) void end()
      return answer
    })
  }

  /** Runs the sweep of the minute. */
  async tick(): Promise<void> {
    const { world } = this
    const minute = Math.floor((world.now + tickMs / 2) / tickMs)
    const key = `tick ${minute}`
    if (world.faults.strikes('tick lost', key)) return
    // Ticks sometimes come twice even while nothing goes wrong.
    const isDouble = world.doubleTicks > 0 && world.draw(`${key} twice`) < world.doubleTicks
    const times = isDouble || world.faults.strikes('tick twice', key) ? 2 : 1
    const ticks = Array.from({ length: times }, async () => this.#sweep(key))
    await Promise.all(ticks)
  }

  /** Replaces everything that runs by a new version, at once or while some of the old still goes on. */
  rollOut(): void {
    const { faults, loop, now } = this.world
    const isSlow = faults.strikes('rollout slow', `rollout at ${now}`)
    for (const life of this.#isolates.values()) {
      if (isSlow) loop.in(goesOnMs * this.world.draw(`end of ${life.name}`), () => life.end())
      else life.end()
    }
    this.#isolates.clear()
    this.world.rolledOutAt = now
    this.#generation++
  }

  /** Changes settings as an operator does, which takes a rollout. */
  reconfigure(settings: Record<string, string>): void {
    this.#env = { ...this.#env, ...settings }
    this.rollOut()
  }

  /** Makes the objects of one isolate lose what they have only in memory, whatever they are doing. */
  loseObjects(key: string): void {
    for (let index = 0; index < isolates; index++) {
      const name = `objects ${index}`
      const life = this.#isolates.get(name)
      if (life && this.world.faults.strikes('isolate of objects dies', `${name} ${key}`)) life.end()
    }
  }

  /** Ends everything together with the world. */
  close(): void {
    for (const all of Object.values(this.objects)) all.close()
  }

  /** Sets the clock of the machines. */
  stepClock(ms: number): void {
    this.world.loop.skew += ms
    for (const all of Object.values(this.objects)) {
      for (const cell of all.cells.values()) cell.lookAtClock()
    }
  }

  async #sweep(key: string): Promise<void> {
    const { world } = this
    const life = this.#isolate('web', world.draw(`isolate of ${key}`))
    const { scheduled } = this.#parts.program.default
    const controller = {
      scheduledTime: world.loop.wall,
      cron: '* * * * *',
      noRetry: () => undefined,
    }
    const run = async (): Promise<unknown> => scheduled(controller, this.#env)
    await this.#invoke(life, key, run).catch(() => undefined)
  }

  #namespace(name: string): Namespace {
    const { program, containerOf, onGateAnswer, onRunnerAnswer, onDispatcherAnswer } = this.#parts
    return new Namespace(this.world, {
      name,
      // The program exports its classes under their names.
      make: () => program[name] as new (ctx: unknown, env: unknown) => unknown,
      env: () => this.#env,
      isolateOf: (object) => this.#isolate('objects', this.world.draw(`isolate of ${object}`)),
      ...(name === 'KeyGate' ? { onAnswer: onGateAnswer } : {}),
      ...(name === 'JobRunner' ? { onAnswer: onRunnerAnswer } : {}),
      ...(name === 'Dispatcher' ? { onAnswer: onDispatcherAnswer } : {}),
      ...(name === 'JobRunner' && containerOf ? { container: containerOf } : {}),
    })
  }

  #isolate(kind: string, drawn: number): Life {
    const name = `${kind} ${Math.floor(drawn * isolates)}`
    const known = this.#isolates.get(name)
    if (known && !known.isDead) return known
    const life = new Life(`isolate ${name} of version ${this.#generation}`)
    this.#isolates.set(name, life)
    return life
  }

  #queuePair(name: string, batch: number): readonly [Queue, Queue] {
    const { onDeadLetter: onDone } = this.#parts
    const options = { ...queueOf(`${name}-dlq`, 1), onDone }
    const dead = new Queue(this.world, options, this.#consume())
    const isLost = (body: unknown): boolean => this.losesMessage(body)
    const isFull = (): boolean => this.refusesMessages
    const first = { ...queueOf(name, batch), isLost, isFull }
    return [new Queue(this.world, first, this.#consume(), dead), dead]
  }

  #consume(): Consume {
    return async ({ messages, queue }) => {
      const again = new Map<string, number>()
      const { world } = this
      const ids = messages.map(({ id }) => id).join()
      const life = this.#isolate('web', world.draw(`isolate of ${ids} ${world.now}`))
      const batch = {
        queue,
        messages: messages.map(({ id, body, attempts, at }) => ({
          ...{ id, body: cloned(body), attempts, timestamp: new Date(at) },
          ack: () => again.delete(id),
          retry: ({ delaySeconds = 15 } = {}) => void again.set(id, delaySeconds),
        })),
      }
      await this.#invoke(life, `${queue} ${ids}`, async () =>
        this.#parts.program.default.queue(batch, this.#env),
      )
      return again
    }
  }
}

function queueOf(name: string, batch: number) {
  return { name, batch, retryDelaySeconds: 15, most: name.endsWith('-dlq') ? 3 : 10 }
}

/**
 * The parts of a request that the service reads. Node's Request has streams and signals, and making one takes longer than all
 * the rest.
 */
function requestOf({ url, method, headers, text }: Sent, arrive?: Arriving): Request {
  const bytes = new TextEncoder().encode(text)
  const all = new PlainHeaders(headers)
  // Real clients send the length of a body; simulated ones leave it to the network.
  if (text !== '' && !all.has('content-length')) all.set('content-length', `${bytes.length}`)
  const body = text === '' ? null : bodyOf(bytes, arrive)
  const cf = { clientIp: all.get(peerHeader) }
  return { url: new URL(url).href, method, headers: all, body, cf } as unknown as Request
}

/** Resolves when this number of bytes has come. */
type Arriving = (bytes: number) => Promise<void>

/** A body with the one method that only workerd has. */
function bodyOf(bytes: Uint8Array, arrive?: Arriving): unknown {
  let at = 0
  const readAtLeast = async (least: number, view: Uint8Array) => {
    const most = arrive ? Math.min(view.length, Math.max(least, pieceBytes)) : view.length
    const part = bytes.subarray(at, at + most)
    if (arrive && part.length > 0) await arrive(part.length)
    at += part.length
    view.set(part)
    const value = view.subarray(0, part.length)
    return { done: part.length === 0, value: part.length === 0 ? undefined : value }
  }
  const reader = { readAtLeast, cancel: async () => undefined, releaseLock: () => undefined }
  const body = { getReader, locked: false, cancel: async () => undefined }
  function getReader() {
    body.locked = true
    return reader
  }
  return body
}
