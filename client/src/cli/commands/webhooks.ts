import type { WebhookDelivery } from '../../api-types.ts'
import type { Command } from '../arguments/command.ts'
import { limitFlag, switchFlag, textFlag } from '../arguments/flag.ts'
import { agoText } from '../terminal/quantities.ts'
import { fieldList, textTable } from '../terminal/text-table.ts'

const secret: Command = {
  name: 'webhooks secret',
  summary: 'Print the secret that signs the webhooks of the account',
  flags: [switchFlag('rotate', 'Make a new one first; both sign for 24 hours')],
  examples: { 'For a local program': 'export SPOOL_WEBHOOK_SECRET=$(spool webhooks secret)' },
  async run(given, session) {
    const { screen, common, signal } = session
    const { webhooks } = await session.spool()
    const found = given.isOn('rotate')
      ? await webhooks.rotateSecret({ signal })
      : await webhooks.secret({ signal })
    if (common.json) screen.printJson(found)
    else screen.printLine(found.secret)
  },
}

const test: Command = {
  name: 'webhooks test',
  summary: 'Let the service send a test event to an address, and show what was answered',
  positionals: { name: 'URL', least: 1, most: 1, fields: ['webhookUrl'] },
  examples: { Once: 'spool webhooks test https://example.com/hooks' },
  async run({ first }, session) {
    const { screen, common, signal } = session
    const { webhooks } = await session.spool()
    const delivery = await webhooks.test(first, { signal })
    if (common.json) screen.printJson(delivery)
    else screen.print(fieldList(deliveryFields(delivery), screen.paint.dim))
    return delivery.status === 'succeeded' ? 0 : 5
  },
}

function deliveryFields(delivery: WebhookDelivery): [string, string | undefined][] {
  const last = delivery.attempts.at(-1)
  return [
    ['delivery', delivery.deliveryId],
    ['status', delivery.status],
    ['answer', last && String(last.statusCode ?? '-')],
    ['error', last?.error ?? undefined],
    ['response', last?.response === '' ? undefined : last?.response],
  ]
}

const deliveries: Command = {
  name: 'webhooks deliveries',
  summary: 'List what was sent to whom, newest first',
  flags: [textFlag('video', 'VIDEO_ID', 'Only those of one video'), limitFlag(100)],
  examples: { 'Of one video': 'spool webhooks deliveries --video v_3RB6SiNw' },
  async run(given, session) {
    const { screen, common, signal, surroundings } = session
    const { webhooks } = await session.spool()
    const query = { videoId: given.text('video'), limit: Math.floor(given.number('limit') ?? 20) }
    const { data } = await webhooks.deliveries(query, { signal }).page()
    if (common.json) return screen.printJson(data)
    if (data.length === 0) return screen.note('Nothing has been sent yet.')
    const columns = ['DELIVERY', 'STATUS', 'ANSWER', 'CREATED', 'TYPE']
    const rows = data.map((one) => [
      one.deliveryId,
      one.status,
      String(one.attempts.at(-1)?.statusCode ?? '-'),
      agoText(one.createdAt, surroundings.now()),
      one.type,
      one.url,
    ])
    screen.print(textTable([...columns, { heading: 'URL', isCut: true }], rows, screen.columns))
  },
}

const redeliver: Command = {
  name: 'webhooks redeliver',
  summary: 'Send a webhook again',
  positionals: { name: 'DELIVERY_ID', least: 1, most: 100 },
  examples: { Again: 'spool webhooks redeliver dlv_4nT0wq9XbK2mHc7R' },
  async run({ positionals }, session) {
    const { screen, common, signal } = session
    const { webhooks } = await session.spool()
    const sent = []
    for (const deliveryId of positionals) {
      sent.push(await webhooks.redeliver(deliveryId, { signal }))
      screen.note(`${screen.mark('good')} ${deliveryId} is being sent again`)
    }
    if (common.json) screen.printJson(sent)
  },
}

export const webhookCommands: readonly Command[] = [secret, test, deliveries, redeliver]
