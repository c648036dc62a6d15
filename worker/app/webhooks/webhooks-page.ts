import type { Context } from 'hono'
import { sendTestWebhook } from '../../command/send-test-webhook.ts'
import { webhookAddressFaults } from '../../contract/addresses/address-faults.ts'
import type { FieldFault } from '../../contract/answers/errors.ts'
import { deliveryId } from '../../contract/ids.ts'
import { parseInput, requireParsed } from '../../contract/input/parse-input.ts'
import { listDeliveriesQuery, testWebhook } from '../../contract/webhooks/webhook-delivery.ts'
import { takePage } from '../../contract/video/page-cursor.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { describeEndpoint } from '../../http/webhooks/webhook-endpoints.ts'
import { addressPolicy } from '../../service/limits/address-policy.ts'
import { deliveryNotFound, redeliver, describeDelivery } from '../../service/webhooks/deliveries.ts'
import { readWebhookSecret, rotateWebhookSecret } from '../../service/webhooks/webhook-secret.ts'
import { readSettings } from '../../settings.ts'
import { findDelivery, listDeliveries } from '../../store/webhooks/deliveries.ts'
import { listEndpoints } from '../../store/webhooks/webhook-endpoints.ts'
import { readForm, fieldText } from '../session/read-form.ts'
import type { PageContent } from '../design/app-page.tsx'
import { sendPage } from '../send-page.ts'
import { memberOf } from '../session/require-member.ts'
import { DeliveryView, RedeliverForm } from './delivery-view.tsx'
import { RotationView } from './secret.tsx'
import { doneTexts, webhooksView, webhooksStyle, type Entered } from './webhooks-view.tsx'

const rowsOnPage = 25
const around = { section: 'webhooks', style: webhooksStyle, scripts: ['live'] } as const
const back = { label: 'Webhooks', href: '/app/webhooks' }

/** GET /app/webhooks */
export async function showWebhooks(c: Context<AppEnv>): Promise<Response> {
  // A test keeps what was entered beside the address.
  const { description = '' } = c.req.query()
  return showPage(c, { url: '', description, eventTypes: c.req.queries('eventTypes') ?? [] })
}

/** Shows the page again with the entries and what is wrong with them. */
export async function showPage(c: Context<AppEnv>, entered: Entered): Promise<Response> {
  const member = memberOf(c)
  const now = Date.now()
  const { accountId } = member
  const { cursor, videoId: about } = c.req.query()
  const query = { ...(cursor && { cursor }), ...(about && { videoId: about }) }
  const { cursor: after, videoId } = requireParsed(parseInput(listDeliveriesQuery, query))
  const wanted = { after, videoId, limit: rowsOnPage + 1 }
  const found = await listDeliveries(c.env.DB, accountId, wanted)
  const { page, nextCursor } = takePage(found, rowsOnPage, ({ delivery }) => delivery)
  const wantsSecret = c.req.query('secret') === 'shown' && member.role === 'owner'
  const tested = await findTested(c)
  const endpoints = (await listEndpoints(c.env.DB, accountId)).map(describeEndpoint)
  const isNew = endpoints.every(({ url }) => url !== tested?.url)
  const view = webhooksView({
    endpoints,
    log: {
      deliveries: page.map(describeDelivery),
      next: nextCursor ?? undefined,
      isFirst: after === undefined,
      videoId,
      now,
    },
    secret: wantsSecret ? await readWebhookSecret(c.env, accountId, now) : undefined,
    isOwner: member.role === 'owner',
    tested,
    // A new address that was just tested is often added next.
    entered: entered.url === '' && tested && isNew ? { ...entered, url: tested.url } : entered,
    now,
  })
  const shown: PageContent = {
    ...around,
    title: 'Webhooks',
    said: doneTexts[c.req.query('done') ?? ''],
    children: view,
  }
  return sendPage(c, shown, entered.faults === undefined ? 200 : 400)
}

/** What the form for a new endpoint has sent. */
export function enteredIn(form: URLSearchParams): Entered {
  return {
    url: fieldText(form, 'url') ?? '',
    description: fieldText(form, 'description') ?? '',
    eventTypes: form.getAll('eventTypes'),
  }
}

async function findTested(c: Context<AppEnv>) {
  const id = deliveryId.safeParse(c.req.query('tested')).data
  const found = id && (await findDelivery(c.env.DB, id, memberOf(c).accountId))
  return found ? describeDelivery(found) : undefined
}

/** POST /app/webhooks/test */
export async function postTest(c: Context<AppEnv>): Promise<Response> {
  const form = await readForm(c)
  const webhookUrl = fieldText(form, 'url')
  const parsed = parseInput(testWebhook, { webhookUrl })
  const policy = addressPolicy(readSettings(c.env))
  const found: FieldFault[] = [
    ...(parsed.ok ? [] : parsed.faults),
    ...webhookAddressFaults('webhookUrl', { webhookUrl }, policy),
  ]
  if (!parsed.ok || found.length > 0) {
    const faults = found.map(({ message }) => ({ field: 'url', message }))
    return showPage(c, { ...enteredIn(form), faults })
  }
  const { accountId } = memberOf(c)
  const sent = await sendTestWebhook(c.env, accountId, parsed.value.webhookUrl, Date.now())
  const { description, eventTypes } = enteredIn(form)
  const next = new URLSearchParams({ tested: sent.deliveryId, ...(description && { description }) })
  for (const type of eventTypes) next.append('eventTypes', type)
  return c.redirect(`/app/webhooks?${next.toString()}`, 303)
}

/** GET /app/webhooks/rotate-secret: asks for confirmation where no script can open a dialog. */
export async function confirmRotation(c: Context<AppEnv>): Promise<Response> {
  return sendPage(c, {
    title: 'Rotate the secret',
    heading: 'Rotate the secret?',
    back,
    section: 'webhooks',
    children: RotationView(),
  })
}

/** POST /app/webhooks/rotate-secret */
export async function postRotation(c: Context<AppEnv>): Promise<Response> {
  await rotateWebhookSecret(c.env, memberOf(c).accountId, Date.now())
  return c.redirect('/app/webhooks?secret=shown&done=rotated', 303)
}

/** GET /app/webhooks/deliveries/{deliveryId} */
export async function showDelivery(c: Context<AppEnv>): Promise<Response> {
  const id = deliveryId.safeParse(c.req.param('deliveryId')).data
  const found = id && (await findDelivery(c.env.DB, id, memberOf(c).accountId))
  if (!found) throw deliveryNotFound()
  const delivery = describeDelivery(found)
  return sendPage(c, {
    ...around,
    title: 'Delivery',
    heading: delivery.type,
    back,
    actions: RedeliverForm(delivery),
    said: doneTexts[c.req.query('done') ?? ''],
    children: DeliveryView({ delivery, body: found.event.body, now: Date.now() }),
  })
}

/** POST /app/webhooks/deliveries/{deliveryId}/redeliver */
export async function postRedelivery(c: Context<AppEnv>): Promise<Response> {
  const id = deliveryId.safeParse(c.req.param('deliveryId')).data
  if (id === undefined) throw deliveryNotFound()
  const { accountId } = memberOf(c)
  await redeliver(c.env, { deliveryId: id, accountId }, Date.now())
  return c.redirect(`/app/webhooks/deliveries/${id}?done=redelivered`, 303)
}
