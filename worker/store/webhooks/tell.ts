import { sql, type SQL } from 'drizzle-orm'
import type { DeliveryType } from '../../contract/webhooks/webhook-event.ts'
import type { Database } from '../database.ts'
import { selectRow } from '../insert-row.ts'
import { firstSweepMs } from '../sweep-times.ts'
import { webhookDeliveries, webhookEvents } from '../tables/tables.ts'

/** One event, and everyone who is to be told of it. */
export type ToldEvent = {
  accountId: string
  type: DeliveryType
  body: string
  deliveries: [ToldDelivery, ...ToldDelivery[]]
}

/** `endpointId`: null if the request named the address. */
export type ToldDelivery = { deliveryId: string; url: string; endpointId: string | null }

type ToldEnd = { eventId: string; videoId: string; now: number; ended: SQL }

/** Writes an event and its deliveries, if `ended` holds. */
export function tell(db: Database, event: ToldEvent, { eventId, videoId, now, ended }: ToldEnd) {
  const eventRow = selectEvent(event, { id: eventId, videoId, now })
  const rows = selectDeliveries(event, eventId, now)
  return [
    db.insert(webhookEvents).select(sql`${eventRow} where ${ended}`),
    db.insert(webhookDeliveries).select(sql`${rows} and ${ended}`),
  ] as const
}

function selectEvent(
  { accountId, type, body }: ToldEvent,
  { id, videoId, now }: { id: string; videoId: string; now: number },
): SQL {
  return selectRow(webhookEvents, { id, accountId, videoId, type, body, createdAt: now })
}

/**
 * Writes all deliveries of an event in one statement. They are due at once; the sweep looks after one whose message is
 * lost. An endpoint that was disabled or deleted since the job was read gets none.
 */
function selectDeliveries({ accountId, deliveries }: ToldEvent, eventId: string, now: number): SQL {
  const row = selectRow(webhookDeliveries, {
    id: sql`told.value ->> 'deliveryId'`,
    eventId,
    accountId,
    status: 'pending',
    sweepAfter: now + firstSweepMs,
    createdAt: now,
    roundAt: now,
    dueAt: now,
    url: sql`told.value ->> 'url'`,
    endpointId: sql`told.value ->> 'endpointId'`,
  })
  const mayBeTold = sql`told.value ->> 'endpointId' is null or exists (select 1 from webhook_endpoints as known
    where known.id = told.value ->> 'endpointId' and known.disabled_at is null)`
  return sql`${row} from json_each(${JSON.stringify(deliveries)}) as told where (${mayBeTold})`
}
