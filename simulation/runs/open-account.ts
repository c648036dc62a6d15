import type { Account } from '../actors/account.ts'
import { usualPreset } from '../actors/order-wish.ts'
import { secrets as secretsOfBuckets } from '../actors/storages.ts'
import type { Exchange } from '../actors/exchange.ts'
import type { Operator } from '../actors/operator.ts'
import type { WebhookSecrets } from '../actors/webhook-secrets.ts'
import type { WatchGates } from '../promises/watch/watch-gates.ts'

type Parts = {
  exchange: Exchange
  operator: Operator
  gates: WatchGates
  secrets: WebhookSecrets
}

const endpoints = '/v1/webhooks/endpoints'
const minuteMs = 60_000
const small = { requests: 15, ms: minuteMs }

/** The plans in which the four accounts differ. */
const plans: readonly Record<string, unknown>[] = [
  {},
  { maxRunning: 1, rateLimits: `${small.requests}/60` },
  { weight: 2 },
  // The records of this account leave the database soon.
  { weight: 5, retainOutputsDays: 1, retainSourcesDays: 1, archiveAfterDays: 1 },
]

/** An account with a key, a bucket of its own and a receiver of its webhooks. */
export async function openAccount(
  { exchange, operator, gates, secrets }: Parts,
  { name, index }: { name: string; index: number },
): Promise<Account> {
  const plan = { weight: 1, ...plans[index] }
  const made = await operator.command({ command: 'accounts.create', name, ...plan })
  const { accountId } = made
  secrets.note(`hooks-of-${name.toLowerCase()}.example.com`, String(made['webhookSecret']))
  if ('maxRunning' in plan) gates.limits.set(String(accountId), small)
  const scopes = ['videos:read', 'videos:write']
  const { apiKey: key } = await operator.command({ command: 'keys.create', accountId, scopes })
  const storage = name.toLowerCase()
  const hook = index === 0 ? undefined : `https://hooks-of-${storage}.example.com/spool`
  // One account has an endpoint for all events, besides those that its orders name.
  const endpoint = index === 1 ? `https://hooks-of-${storage}.example.com/all` : undefined
  const account = { name, accountId: String(accountId), key: String(key), hook, endpoint, storage }
  await ask(exchange, account, ['PUT', `/v1/storages/${storage}`], {
    endpoint: `https://storage-of-${storage}.example.com`,
    bucket: 'results',
    accessKeyId: 'simulated',
    secretAccessKey: secretsOfBuckets[0],
  })
  const { path, fields } = usualPreset
  await ask(exchange, account, ['PUT', path], { fields })
  if (endpoint !== undefined) {
    await ask(exchange, account, ['POST', endpoints], { url: endpoint })
  }
  const own = { ...account, weight: Number(plan.weight) }
  return index === 2 ? { ...own, switchEndpoint: await switchOf(exchange, account) } : own
}

async function switchOf(
  exchange: Exchange,
  account: Omit<Account, 'weight'>,
): Promise<NonNullable<Account['switchEndpoint']>> {
  const { key, name: who, storage } = account
  const wish = {
    url: `https://hooks-of-${storage}.example.com/some`,
    eventTypes: ['video.succeeded', 'video.failed'],
  }
  const made = JSON.parse(await ask(exchange, account, ['POST', endpoints], wish)) as {
    endpointId: string
  }
  const path = `${endpoints}/${made.endpointId}`
  return async (enabled) => exchange.ask({ who, method: 'PATCH', path, key, body: { enabled } })
}

async function ask(
  exchange: Exchange,
  { name: who, key }: Pick<Account, 'name' | 'key'>,
  [method, path]: readonly [string, string],
  body: unknown,
): Promise<string> {
  const answer = await exchange.ask({ who, method, path, key, body })
  if (answer?.status === 201) return answer.text
  throw new Error(`${path} was answered ${answer?.status ?? 'nothing'}: ${answer?.text ?? ''}`)
}
