import { createApp } from './app.ts'
import { consumeDeadJobs, consumeJobs } from './queue/consume.ts'
import { sweep } from './queue/sweep.ts'
import type { Env } from './settings.ts'

export { JobRunner } from './durable/job-runner.ts'
export { KeyGate } from './durable/key-gate.ts'

const app = createApp()

export default {
  fetch: app.fetch,
  async queue(batch, env) {
    await (batch.queue.endsWith('-dlq') ? consumeDeadJobs(batch, env) : consumeJobs(batch, env))
  },
  async scheduled(controller, env) {
    await sweep(env, controller.scheduledTime)
  },
} satisfies ExportedHandler<Env>
