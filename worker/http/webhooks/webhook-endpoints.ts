import type { Context } from 'hono'
import type { z } from 'zod'
import { webhookAddressFaults } from '../../contract/addresses/address-faults.ts'
import { addEndpoint, endpointNotFound, endpointUrlTaken } from '../../command/webhook-endpoints.ts'
import { webhookEndpointId } from '../../contract/ids.ts'
import { parseInput, requireParsed } from '../../contract/input/parse-input.ts'
import {
  changeEndpoint as changeBody,
  createEndpoint as createBody,
  type ChangeEndpoint,
  type EndpointPage,
  type EndpointRecord,
} from '../../contract/webhooks/webhook-endpoint.ts'
import { addressPolicy } from '../../service/limits/address-policy.ts'
import { timestamp } from '../../service/videos/describe-video.ts'
import { readSettings } from '../../settings.ts'
import type { EndpointRow } from '../../store/tables/account-tables.ts'
import {
  deleteEndpoint as removeEndpoint,
  findEndpoint,
  listEndpoints as findEndpoints,
  updateEndpoint,
  type EndpointChange,
} from '../../store/webhooks/webhook-endpoints.ts'
import type { AppEnv } from '../app-env.ts'
import { readJson } from '../read-body.ts'

/** POST /v1/webhooks/endpoints */
export async function createWebhookEndpoint(c: Context<AppEnv>): Promise<Response> {
  const wish = await readBody(c, createBody)
  const row = await addEndpoint(c.env, c.get('caller').accountId, wish, Date.now())
  c.header('Location', `/v1/webhooks/endpoints/${row.id}`)
  return c.json(describeEndpoint(row), 201)
}

/** GET /v1/webhooks/endpoints */
export async function listWebhookEndpoints(c: Context<AppEnv>): Promise<Response> {
  const found = await findEndpoints(c.env.DB, c.get('caller').accountId)
  return c.json({ data: found.map(describeEndpoint), nextCursor: null } satisfies EndpointPage)
}

/** GET /v1/webhooks/endpoints/{endpointId} */
export async function getWebhookEndpoint(c: Context<AppEnv>): Promise<Response> {
  return c.json(describeEndpoint(await requireEndpoint(c)))
}

/** PATCH /v1/webhooks/endpoints/{endpointId} */
export async function changeWebhookEndpoint(c: Context<AppEnv>): Promise<Response> {
  const wish = await readBody(c, changeBody)
  const endpoint = await requireEndpoint(c)
  const now = Date.now()
  const changed = await updateEndpoint(c.env.DB, endpoint, changeOf(wish, endpoint, now), now)
  if (changed === 'url-taken') throw endpointUrlTaken()
  if (!changed) throw endpointNotFound()
  return c.json(describeEndpoint(changed))
}

/** DELETE /v1/webhooks/endpoints/{endpointId} */
export async function deleteWebhookEndpoint(c: Context<AppEnv>): Promise<Response> {
  const id = webhookEndpointId.safeParse(c.req.param('endpointId')).data
  const { accountId } = c.get('caller')
  if (id === undefined || !(await removeEndpoint(c.env.DB, accountId, id, Date.now()))) {
    throw endpointNotFound()
  }
  return c.body(null, 204)
}

async function readBody<Schema extends z.ZodType>(
  c: Context<AppEnv>,
  schema: Schema,
): Promise<z.output<Schema>> {
  const body = await readJson(c.req.raw)
  const found = webhookAddressFaults('url', body, addressPolicy(readSettings(c.env)))
  return requireParsed(parseInput(schema, body), found)
}

/** Disabling an endpoint again changes nothing, so that it keeps the time at which it was first disabled. */
function changeOf(
  { enabled, ...wish }: ChangeEndpoint,
  { disabledAt }: EndpointRow,
  now: number,
): EndpointChange {
  const given = Object.fromEntries(Object.entries(wish).filter(([, value]) => value !== undefined))
  if (enabled === undefined) return given
  return { ...given, disabledAt: enabled ? null : (disabledAt ?? now) }
}

async function requireEndpoint(c: Context<AppEnv>): Promise<EndpointRow> {
  const id = webhookEndpointId.safeParse(c.req.param('endpointId')).data
  const found = id && (await findEndpoint(c.env.DB, c.get('caller').accountId, id))
  if (!found) throw endpointNotFound()
  return found
}

export function describeEndpoint(row: EndpointRow): EndpointRecord {
  return {
    endpointId: row.id,
    url: row.url,
    description: row.description,
    eventTypes: row.eventTypes,
    enabled: row.disabledAt === null,
    createdAt: timestamp(row.createdAt),
    lastUpdatedAt: timestamp(row.updatedAt),
  }
}
