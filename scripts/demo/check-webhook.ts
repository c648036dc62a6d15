import type { Progress } from '../../client/src/cli/terminal/progress.ts'
import type { Screen } from '../../client/src/cli/terminal/screen.ts'
import type { Spool } from '../../client/src/spool.ts'
import { unwrapWebhook } from '../../client/src/webhook/unwrap-webhook.ts'
import type { DemoData } from './demo-data.ts'
import type { NearServer } from './near-server.ts'

type With = { progress: Progress; screen: Screen; signal: AbortSignal }

/** Waits for the webhook and checks who signed it, as a receiver does; an error if it was not the service. */
export async function checkWebhook(
  spool: Spool,
  near: NearServer,
  { progress, screen, signal }: With,
): Promise<NonNullable<DemoData['webhook']>> {
  progress.show({ label: 'Waiting for the webhook' })
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
  const { headers, body } = await Promise.race([near.webhook, stopped])
  const { secret } = await spool.webhooks.secret({ signal })
  const { type } = await unwrapWebhook(body, headers, secret)
  progress.done(`${screen.mark('good')} The webhook ${type} is genuine: its signature is right`)
  return {
    id: String(headers['webhook-id']),
    type,
    signature: String(headers['webhook-signature']),
  }
}
