import { fewAtOnce } from '../contract/few-at-once.ts'
import { withinMs } from '../contract/within-ms.ts'
import { webhookEndpoint } from '../durable/webhook-endpoint.ts'
import { isSpent } from '../service/webhooks/decide-delivery.ts'
import { isolateMemory } from '../contract/isolate-memory.ts'
import { describeError, log } from '../service/log.ts'
import { readSettings, type Env } from '../settings.ts'
import { makeAllDue, postponeSweep } from '../store/sweep-times.ts'
import { webhookDeliveries } from '../store/tables/tables.ts'
import { listDueDeliveries, type DeliveryToHandOver } from '../store/webhooks/deliveries.ts'
import { forgetDeliveries, markExhausted } from '../store/webhooks/delivery-changes.ts'

/** One tick looks at this many deliveries at most; the next one continues. */
const deliveriesPerTick = 10_000
/** The deliveries of one endpoint are handed over in one call. */
const endpointsPerTick = 1000
const atOnce = 16
/** An endpoint that does not answer must not use up the time of the others. */
const answerMs = 5_000
const forgottenPerTick = 1000
const logKeptMs = 30 * 86_400_000

/**
 * Local queues lose their messages when workerd restarts, so the first sweep of a process looks at every pending
 * delivery.
 */
const sweptSinceBoot = isolateMemory(() => false)

/**
 * Hands over deliveries again that were lost on the way to their endpoint or in it, and forgets those that are a month
 * old.
 */
export async function sweepWebhooks(env: Env, now: number): Promise<void> {
  const { environment, webhookScheduleMs } = readSettings(env)
  if (!sweptSinceBoot.current && environment === 'local') {
    await makeAllDue(env.DB, webhookDeliveries, now)
    sweptSinceBoot.current = true
  }
  const due = await listDueDeliveries(env.DB, now, deliveriesPerTick)
  const isOver = ({ roundAt }: DeliveryToHandOver) => isSpent(roundAt, webhookScheduleMs, now)
  const spent = due.filter(isOver).map(({ id }) => id)
  if (spent.length > 0) await markExhausted(env.DB, spent, now)
  const endpoints = byEndpoint(due.filter((delivery) => !isOver(delivery)))
  await postponeSweep(env.DB, webhookDeliveries, await handOverAll(env, endpoints, now), now)
  await forgetDeliveries(env.DB, now - logKeptMs, forgottenPerTick)
}

type Endpoint = [DeliveryToHandOver, ...DeliveryToHandOver[]]

function byEndpoint(due: readonly DeliveryToHandOver[]): Endpoint[] {
  const endpoints = new Map<string, Endpoint>()
  for (const delivery of due) {
    const name = `${delivery.accountId} ${new URL(delivery.url).origin}`
    const known = endpoints.get(name)
    if (known) known.push(delivery)
    else endpoints.set(name, [delivery])
  }
  return [...endpoints.values()]
}

/** Returns the ids of the deliveries that were taken over. Does not wait for receivers. */
async function handOverAll(
  env: Env,
  endpoints: readonly Endpoint[],
  now: number,
): Promise<string[]> {
  const handed: string[] = []
  await fewAtOnce(endpoints.slice(0, endpointsPerTick), atOnce, async (endpoint) => {
    if (await handOver(env, endpoint, now)) handed.push(...endpoint.map(({ id }) => id))
  })
  return handed
}

async function handOver(env: Env, endpoint: Endpoint, now: number): Promise<boolean> {
  const [{ accountId, url }] = endpoint
  const due = endpoint.map(({ id, dueAt }) => ({ id, dueAt: dueAt ?? now }))
  try {
    await withinMs(answerMs, webhookEndpoint(env, accountId, url).offerAll(due))
    return true
  } catch (error) {
    const fields = { accountId, count: due.length, ...describeError(error) }
    log('error', 'sweep could not look after deliveries', fields)
    return false
  }
}
