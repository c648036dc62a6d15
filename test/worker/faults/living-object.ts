import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import type { JobRunner } from '../../../worker/durable/job/job-runner.ts'
import type { Dispatcher } from '../../../worker/durable/dispatcher.ts'
import type { WebhookEndpoint } from '../../../worker/durable/webhook-endpoint.ts'
import type { FaultPoints } from './fault-points.ts'

type Stub =
  | DurableObjectStub<JobRunner>
  | DurableObjectStub<WebhookEndpoint>
  | DurableObjectStub<Dispatcher>

/** One Durable Object and its alarm, and what happens to them when the process dies. */
export class LivingObject {
  readonly #stub: Stub
  readonly #points: FaultPoints
  #alarmFailed = false
  /** The time of the alarm as last read; code that sets an alarm sets it for later. */
  #alarmAt: number | undefined

  constructor(stub: Stub, points: FaultPoints) {
    this.#stub = stub
    this.#points = points
  }

  async alarmAt(): Promise<number | undefined> {
    const at = await this.#inside(async (_, { storage }) => storage.getAlarm())
    this.#alarmAt = at ?? undefined
    return this.#alarmFailed ? Date.now() + 5000 : this.#alarmAt
  }

  /** An alarm that fails is tried again; in a blackout it is lost, as after six failures. */
  async ring(attempt: (work: () => Promise<void>) => Promise<boolean>): Promise<void> {
    const isDue = this.#alarmAt !== undefined && this.#alarmAt <= Date.now()
    if (!isDue && !this.#alarmFailed) return
    this.#alarmAt = undefined
    const strikesBefore = this.#points.strikes
    let rang = false
    await attempt(async () => {
      if (this.#alarmFailed) await this.#inside(async (object) => object.alarm())
      else await runDurableObjectAlarm(this.#stub)
      rang = true
    })
    const isGone = !rang && this.#points.isBlackout && this.#points.strikes > strikesBefore
    this.#alarmFailed = !rang && !isGone
    if (isGone) await this.#inside(async (_, { storage }) => storage.deleteAlarm())
  }

  /** Runs the alarm if it is due, when nothing fails any more. */
  async wake(): Promise<void> {
    await this.alarmAt()
    await this.ring(async (work) => {
      await work()
      return true
    })
    await this.settle()
  }

  /** Reads its alarm first, because an object that does not run cannot be evicted. */
  async die(): Promise<void> {
    await this.#inside(async (_, { storage }) => storage.getAlarm())
    await evictDurableObject(this.#stub)
  }

  /** Waits for work that it has begun and nobody waits for. */
  async settle(): Promise<void> {
    await this.#inside(async (object, state) => {
      await Promise.allSettled(this.#points.background.get(state) ?? [])
      this.#points.background.delete(state)
      if ('settled' in object) await object.settled()
    })
  }

  /** The names of everything that it stores. */
  async memory(): Promise<string[]> {
    return this.#inside((_, { storage }) => [
      ...[...storage.kv.list()].map(([key]) => key),
      ...storage.sql
        .exec<{ name: string }>(
          "SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_%' ESCAPE '\\'",
        )
        .toArray()
        .map(({ name }) => name),
    ])
  }

  async #inside<Value>(
    work: (
      object: JobRunner | WebhookEndpoint | Dispatcher,
      state: DurableObjectState,
    ) => Value | Promise<Value>,
  ): Promise<Value> {
    return runInDurableObject(this.#stub as DurableObjectStub<JobRunner>, work)
  }
}
