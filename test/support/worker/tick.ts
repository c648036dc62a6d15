import { createScheduledController } from 'cloudflare:test'
import worker from '../../../worker/index.ts'
import { bindings } from './bindings.ts'

/** What the cron starts once a minute: the sweep. */
export async function tick(): Promise<void> {
  await worker.scheduled(createScheduledController({ scheduledTime: Date.now() }), bindings)
}
