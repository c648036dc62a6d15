import { AppError } from '../contract/answers/errors.ts'
import { mintId } from '../contract/ids.ts'
import { endpointsPerAccount } from '../contract/limits.ts'
import type { CreateEndpoint } from '../contract/webhooks/webhook-endpoint.ts'
import type { Env } from '../settings.ts'
import type { EndpointRow } from '../store/tables/account-tables.ts'
import { insertEndpoint } from '../store/webhooks/webhook-endpoints.ts'

/** From now on the endpoint gets events. */
export async function addEndpoint(
  env: Env,
  accountId: string,
  wish: CreateEndpoint,
  now: number,
): Promise<EndpointRow> {
  const row: EndpointRow = {
    id: mintId('we'),
    accountId,
    url: wish.url,
    description: wish.description ?? null,
    eventTypes: wish.eventTypes ?? null,
    disabledAt: null,
    createdAt: now,
    updatedAt: now,
  }
  const inserted = await insertEndpoint(env.DB, row, endpointsPerAccount)
  if (inserted === 'url-taken') throw endpointUrlTaken()
  if (inserted === 'inserted') return row
  const message = `The account has ${endpointsPerAccount} webhook endpoints already; delete one first.`
  throw new AppError('Conflict', message)
}

export function endpointNotFound(): AppError {
  return new AppError('NotFound', 'Webhook endpoint not found.')
}

export function endpointUrlTaken(): AppError {
  return new AppError('Conflict', 'This account already has a webhook endpoint with this address.')
}
