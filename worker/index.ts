import { createApp } from './app.ts'
import { consumeDeadJob, consumeJob } from './queue/consume.ts'
import { consumeDeadWebhook, consumeWebhook } from './queue/consume-webhooks.ts'
import { sweep } from './queue/sweep.ts'
import { withLogFields } from './service/log.ts'
import type { Env } from './settings.ts'

export { Courier } from './durable/courier.ts'
export { Dispatcher } from './durable/dispatcher.ts'
export { JobRunner } from './durable/job/job-runner.ts'
export { KeyGate } from './durable/key-gate.ts'
export { WebhookEndpoint } from './durable/webhook-endpoint.ts'

const app = createApp()

export default {
  async fetch(request: Request, env, ctx) {
    return app.fetch(request, env, ctx)
  },
  async queue(batch, env) {
    const dead = batch.queue.endsWith('-dlq')
    const [consume, consumeDead] = batch.queue.startsWith('spool-webhooks')
      ? [consumeWebhook, consumeDeadWebhook]
      : [consumeJob, consumeDeadJob]
    for (const message of batch.messages) {
      await withLogFields({ messageId: message.id }, async () =>
        (dead ? consumeDead : consume)(message, env),
      )
    }
  },
  async scheduled(controller, env) {
    await sweep(env, controller.scheduledTime)
  },
} satisfies ExportedHandler<Env>
