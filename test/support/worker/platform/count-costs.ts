import { AsyncLocalStorage } from 'node:async_hooks'
import { runInDurableObject } from 'cloudflare:test'
import { DurableObject } from 'cloudflare:workers'
import { vi } from 'vitest'
import { nothing, type Count } from '../../../../bench/model/measured.ts'
import * as service from '../../../../worker/index.ts'
import { bindings, prototypeOf } from '../bindings.ts'
import { slots } from '../dispatcher.ts'
import type { JobQueue } from '../job-queue.ts'
import { watchCalls } from './watch-calls.ts'

export type Costs = Record<Count, number>

const objects: Readonly<Record<string, keyof Costs>> = {
  KeyGate: 'gateCalls',
  JobRunner: 'runnerCalls',
  Dispatcher: 'dispatcherCalls',
  WebhookEndpoint: 'endpointCalls',
  // None of the steps delivers to a bucket.
  Courier: 'endpointCalls',
}
/** Only tests ask these. */
const ownMethods = ['constructor', 'settled']

/** The object that is at work, and the name of its class. */
const atWork = new AsyncLocalStorage<{ object: object; name: string }>()

/** Counts what the service uses from now on, until the mocks are restored. */
export class CostCounter {
  readonly #costs = { ...nothing }

  static async begin(queue: JobQueue): Promise<CostCounter> {
    const counter = new CostCounter()
    counter.#watchEvents()
    counter.#watchDatabase()
    counter.#watchBucket()
    counter.#watchQueue(queue)
    counter.#watchObjects()
    counter.#watchLog()
    await counter.#watchStorage()
    return counter
  }

  /** What this work uses, with everything that it has begun when it resolves. */
  async of(work: () => Promise<unknown>): Promise<Costs> {
    const before = { ...this.#costs }
    await work()
    return map((name) => this.#costs[name] - before[name])
  }

  #add(what: keyof Costs, number = 1): void {
    this.#costs[what] += number
  }

  #watchEvents(): void {
    const { default: events } = service
    for (const name of ['fetch', 'queue', 'scheduled'] as const) {
      watchCalls(events, name, () => this.#add('workerRequests'))
    }
  }

  /** Everything that asks D1 goes through one method of the session; its answers say how many rows it took. */
  #watchDatabase(): void {
    const statement = bindings.DB.prepare('SELECT 1') as unknown as { dbSession: Session }
    const session = Object.getPrototypeOf(
      Object.getPrototypeOf(statement.dbSession) as object,
    ) as Session
    const original = session._send
    const add = this.#add.bind(this)
    vi.spyOn(session, '_send').mockImplementation(async function (this: Session, ...given) {
      const answer = await original.apply(this, given)
      // A statement that failed has none.
      const all = [answer].flat().flatMap(({ meta }) => meta ?? [])
      add('databaseCalls')
      add('statements', all.length)
      for (const { rows_read, rows_written } of all) {
        add('rowsRead', rows_read)
        add('rowsWritten', rows_written)
      }
      if (all.some(({ rows_written }) => rows_written > 0)) add('writingCalls')
      return answer
    })
  }

  /** By the classes of R2: deleting and aborting cost nothing. */
  #watchBucket(): void {
    const bucket = prototypeOf(bindings.BUCKET)
    for (const name of ['put', 'createMultipartUpload', 'list'] as const) {
      watchCalls(bucket, name, () => this.#add('bucketWrites'))
    }
    for (const name of ['get', 'head'] as const) {
      watchCalls(bucket, name, () => this.#add('bucketReads'))
    }
    const multipart = prototypeOf(bindings.BUCKET.resumeMultipartUpload('none', 'none'))
    for (const name of ['uploadPart', 'complete'] as const) {
      watchCalls(multipart, name, () => this.#add('bucketWrites'))
    }
  }

  #watchQueue(queue: JobQueue): void {
    const keep = queue.keep.bind(queue)
    queue.keep = (...given) => {
      this.#add('messages')
      keep(...given)
    }
  }

  #watchLog(): void {
    for (const level of ['info', 'warn', 'error'] as const) {
      watchCalls(console, level, () => this.#add('logLines'))
    }
  }

  /** A call from outside is charged; one that an object makes of itself is not. */
  #watchObjects(): void {
    for (const [name, found] of Object.entries(service)) {
      if (typeof found !== 'function' || !(found.prototype instanceof DurableObject)) continue
      if (!objects[name]) throw new Error(`nobody counts the calls of ${name}`)
      for (const method of Object.getOwnPropertyNames(found.prototype)) {
        if (ownMethods.includes(method)) continue
        this.#watchMethod(found.prototype as unknown as Methods, method, name)
      }
    }
  }

  #watchMethod(prototype: Methods, method: string, name: string): void {
    const original: unknown = Object.getOwnPropertyDescriptor(prototype, method)?.value
    // Getters are for the object itself.
    if (typeof original !== 'function') return
    const add = () => this.#add(objects[name] as keyof Costs)
    function watched(this: object, ...given: unknown[]): unknown {
      const work = () => (original as Method).apply(this, given)
      if (atWork.getStore()?.object === this) return work()
      add()
      return atWork.run({ object: this, name }, work)
    }
    vi.spyOn(prototype, method).mockImplementation(watched)
  }

  /** Of all objects but the gates, which write their windows when they have time: that differs from run to run. */
  async #watchStorage(): Promise<void> {
    const add = (what: keyof Costs, number = 1) => {
      // What a gate stores later, by a timer, belongs to no step.
      const name = atWork.getStore()?.name
      if (name !== undefined && name !== 'KeyGate') this.#add(what, number)
    }
    await runInDurableObject(slots(), (_, { storage }) => {
      watchCalls(prototypeOf(storage.kv), 'get', () => add('objectRowsRead'))
      watchCalls(prototypeOf(storage.kv), 'put', () => add('objectRowsWritten'))
      watchCalls(prototypeOf(storage), 'setAlarm', () => add('objectRowsWritten'))
      const sql = prototypeOf(storage.sql)
      const original = Reflect.get(sql, 'exec') as Method
      vi.spyOn(sql, 'exec').mockImplementation(function (this: SqlStorage, ...given: unknown[]) {
        const cursor = original.apply(this, given) as SqlStorageCursor<never>
        const rows = cursor.toArray()
        add('objectRowsRead', cursor.rowsRead)
        add('objectRowsWritten', cursor.rowsWritten)
        return { toArray: () => rows, one: () => rows[0] } as never
      } as never)
    })
  }
}

type Method = (...given: unknown[]) => unknown
type Methods = Record<string, Method>
type Answered = { meta?: { rows_read: number; rows_written: number } }
type Session = { _send: (...given: unknown[]) => Promise<Answered | Answered[]> }

function map(value: (name: keyof Costs) => number): Costs {
  const names = Object.keys(nothing) as (keyof Costs)[]
  return Object.fromEntries(names.map((name) => [name, value(name)])) as Costs
}

/** What one of them uses, to a hundredth. `idle`: what is used without any. */
export function each(all: Costs, number: number, idle: Costs = nothing): Costs {
  return map((name) => Math.round(((all[name] - idle[name]) / number) * 100) / 100)
}
