import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { beforeEach, vi } from 'vitest'
import worker from '../../../worker/index.ts'
import { jobMessage, type JobMessage } from '../../../worker/contract/job/job-message.ts'
import { batchMessage, deliveryMessage } from '../../../worker/queue/message.ts'
import { bindings, prototypeOf } from './bindings.ts'
import { forgetSlots } from './dispatcher.ts'
import { countSubrequest, holdMessage, holdMessages } from './platform/platform-limits.ts'

type Sent = { body: JobMessage; delaySeconds: number }

/** Keeps the messages sent to the queue until the test delivers them, so that nothing happens unnoticed. */
export class JobQueue {
  readonly sent: Sent[] = []
  /** The deliveries of webhooks that were sent, by id. */
  readonly deliveries: string[] = []
  /** Batches that are to be canceled further, by id. */
  readonly canceling: string[] = []
  /** Set to make the queue refuse. */
  fault: Error | undefined
  /** From now on, messages go to the real queue, which delivers them to the consumer. */
  letThrough: () => void = () => undefined

  keep(body: unknown, options?: QueueSendOptions): void {
    if (this.fault) throw this.fault
    const webhook = deliveryMessage.safeParse(body)
    if (webhook.success) {
      this.deliveries.push(webhook.data.deliveryId)
      return
    }
    const batch = batchMessage.safeParse(body)
    if (batch.success) {
      this.canceling.push(batch.data.batchId)
      return
    }
    this.sent.push({ body: jobMessage.parse(body), delaySeconds: options?.delaySeconds ?? 0 })
  }

  sentFor(jobId: string): Sent[] {
    return this.sent.filter(({ body }) => body.jobId === jobId)
  }

  /** Delivers the oldest message for this job that was not delivered yet. */
  async deliverNext(jobId: string): Promise<QueueOutcome> {
    const index = this.sent.findIndex(({ body }) => body.jobId === jobId)
    const [message] = index < 0 ? [] : this.sent.splice(index, 1)
    if (!message) throw new Error(`no message for ${jobId}`)
    return deliver(message.body)
  }
}

export type QueueOutcome = { acknowledged: boolean; retried: boolean }

/** Delivers one message to the consumer of a queue and returns what happened to it. */
export async function deliver(body: unknown, queue = 'spool-jobs'): Promise<QueueOutcome> {
  const id = crypto.randomUUID()
  const batch = createMessageBatch(queue, [{ id, timestamp: new Date(), attempts: 1, body }])
  const context = createExecutionContext()
  await worker.queue(batch, bindings)
  const result = await getQueueResult(batch, context)
  return {
    acknowledged: result.ackAll || result.explicitAcks.includes(id),
    retried: result.retryBatch.retry || result.retryMessages.some(({ msgId }) => msgId === id),
  }
}

export function standInQueue(): { current: JobQueue } {
  const queue = { current: new JobQueue() }
  beforeEach(async () => {
    queue.current = new JobQueue()
    // A message that was never delivered is lost when its test ends; its job must not stand in line before others.
    const { DB } = bindings
    await DB.batch([
      DB.prepare("UPDATE videos SET status = 'canceled' WHERE status = 'queued'"),
      DB.prepare('UPDATE jobs SET waits = 0 WHERE waits > 0'),
    ])
    await forgetSlots()
    const send = vi.spyOn(prototypeOf(bindings.JOBS), 'send')
    const sendBatch = vi.spyOn(prototypeOf(bindings.JOBS), 'sendBatch')
    sendBatch.mockImplementation(async (messages: Iterable<MessageSendRequest>, options) => {
      countSubrequest()
      holdMessages([...messages])
      for (const { body } of messages) queue.current.keep(body, options)
      return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } }
    })
    queue.current.letThrough = () => {
      send.mockRestore()
      sendBatch.mockRestore()
    }
    send.mockImplementation(async (body: unknown, options?: QueueSendOptions) => {
      countSubrequest()
      holdMessage(body, options)
      queue.current.keep(body, options)
      return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } }
    })
  })
  return queue
}
