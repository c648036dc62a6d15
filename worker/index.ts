import { createApp } from './app.ts'
import { consumeDeadJobs, consumeJobs } from './queue/consume.ts'
import { consumeDeadWebhooks, consumeWebhooks } from './queue/consume-webhooks.ts'
import { sweep } from './queue/sweep.ts'
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
      ? [consumeWebhooks, consumeDeadWebhooks]
      : [consumeJobs, consumeDeadJobs]
    await (dead ? consumeDead : consume)(batch, env)
  },
  async scheduled(controller, env) {
    await sweep(env, controller.scheduledTime)
  },
} satisfies ExportedHandler<Env>
