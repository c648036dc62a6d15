import type { Context } from 'hono'
import { deliveryId } from '../../contract/ids.ts'
import { limits } from '../../contract/limits.ts'
import { takePage } from '../../contract/video/page-cursor.ts'
import { parseInput, requireParsed } from '../../contract/input/parse-input.ts'
import { addressFaults } from '../../contract/addresses/address-faults.ts'
import {
  listDeliveriesQuery,
  testWebhook as testBody,
  type DeliveryPage,
} from '../../contract/webhooks/webhook-delivery.ts'
import { sendTestWebhook } from '../../command/send-test-webhook.ts'
import { addressPolicy } from '../../service/limits/address-policy.ts'
import { deliveryNotFound, redeliver, describeDelivery } from '../../service/webhooks/deliveries.ts'
import {
  readWebhookSecret,
  rotateWebhookSecret as rotateSecretOf,
} from '../../service/webhooks/webhook-secret.ts'
import { readSettings } from '../../settings.ts'
import { listDeliveries as findDeliveries } from '../../store/webhooks/deliveries.ts'
import type { AppEnv } from '../app-env.ts'
import { readJson } from '../read-body.ts'
import { readQuery } from '../read-query.ts'

/** GET /v1/webhooks/secret */
export async function getWebhookSecret(c: Context<AppEnv>): Promise<Response> {
  return c.json(await readWebhookSecret(c.env, c.get('caller').accountId, Date.now()))
}

/** POST /v1/webhooks/secret/rotate */
export async function rotateWebhookSecret(c: Context<AppEnv>): Promise<Response> {
  return c.json(await rotateSecretOf(c.env, c.get('caller').accountId, Date.now()))
}

/** GET /v1/webhooks/deliveries */
export async function listWebhookDeliveries(c: Context<AppEnv>): Promise<Response> {
  const {
    videoId,
    cursor,
    limit = limits.listPageSizeDefault,
  } = await readQuery(c, listDeliveriesQuery)
  const wanted = { videoId, after: cursor, limit: limit + 1 }
  const found = await findDeliveries(c.env.DB, c.get('caller').accountId, wanted)
  const { page, nextCursor } = takePage(found, limit, ({ delivery }) => delivery)
  return c.json({ data: page.map(describeDelivery), nextCursor } satisfies DeliveryPage)
}

/** POST /v1/webhooks/deliveries/{deliveryId}/redeliver */
export async function redeliverWebhook(c: Context<AppEnv>): Promise<Response> {
  const id = deliveryId.safeParse(c.req.param('deliveryId'))
  if (!id.success) throw deliveryNotFound()
  const { accountId } = c.get('caller')
  return c.json(await redeliver(c.env, { deliveryId: id.data, accountId }, Date.now()), 202)
}

/** POST /v1/webhooks/test */
export async function testWebhook(c: Context<AppEnv>): Promise<Response> {
  const body = await readJson(c.req.raw)
  const found = addressFaults(body, addressPolicy(readSettings(c.env)))
  const { webhookUrl } = requireParsed(parseInput(testBody, body), found)
  const { accountId } = c.get('caller')
  return c.json(await sendTestWebhook(c.env, accountId, webhookUrl, Date.now()))
}
