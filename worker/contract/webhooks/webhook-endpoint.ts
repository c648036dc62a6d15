import { z } from 'zod'
import { closedObject } from '../input/closed-object.ts'
import { webhookEndpointId } from '../ids.ts'
import { displayName } from '../people/key-record.ts'
import { webhookAddress } from '../options/media-url.ts'
import { webhookEventTypes } from './webhook-event.ts'
import { worded } from '../answers/wording.ts'
import { timestamp } from '../timestamp.ts'

const url = webhookAddress.describe('Where to send events; the rules are those of webhookUrl')
const notWebhookUrl = { webhookUrl: 'Unknown field; did you mean url?' }

const eventTypes = worded(
  z
    .array(z.enum(webhookEventTypes))
    .min(1, 'Must name at least one type; leave the field out for every type')
    .refine((list) => new Set(list).size === list.length, 'Must name each type once'),
  'a list such as ["video.failed"]',
)
const description = displayName.describe('For people: who receives the events')

/** The body of POST /v1/webhooks/endpoints. */
export const createEndpoint = worded(
  closedObject(
    {
      url,
      description: description.optional(),
      eventTypes: eventTypes
        .optional()
        .describe('Only these; when absent every type, those of the future among them'),
    },
    notWebhookUrl,
  ),
  'an object such as {"url": "https://example.com/hooks"}',
)
export type CreateEndpoint = z.infer<typeof createEndpoint>

/** The body of PATCH /v1/webhooks/endpoints/{endpointId}. */
export const changeEndpoint = worded(
  closedObject(
    {
      url: url.optional(),
      description: description.nullable().optional(),
      eventTypes: eventTypes.nullable().optional().describe('null: every type'),
      enabled: z
        .boolean()
        .optional()
        .describe('false: no events, and what is on its way is stopped; true: events again'),
    },
    notWebhookUrl,
  )
    .refine((change) => Object.keys(change).length > 0, {
      message: 'Must change something: url, description, eventTypes or enabled',
    })
    .meta({ minProperties: 1 }),
  'an object such as {"enabled": false}',
)
export type ChangeEndpoint = z.infer<typeof changeEndpoint>

export const endpointRecord = z.object({
  endpointId: webhookEndpointId,
  url: z.string(),
  description: z.string().nullable(),
  eventTypes: z.array(z.string()).nullable().describe('The types it gets; null for every type'),
  enabled: z.boolean(),
  createdAt: timestamp,
  lastUpdatedAt: timestamp,
})
export type EndpointRecord = z.infer<typeof endpointRecord>

export const endpointPage = z.object({
  data: z.array(endpointRecord).describe('Oldest first'),
  nextCursor: z.null().describe('Always null: all endpoints fit on one page'),
})
export type EndpointPage = z.infer<typeof endpointPage>
