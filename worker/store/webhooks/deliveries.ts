import { and, desc, eq, getTableColumns, lte, sql } from 'drizzle-orm'
import type { DeliveryStatus } from '../../contract/webhooks/webhook-delivery.ts'
import type { DeliveryType } from '../../contract/webhooks/webhook-event.ts'
import type { PageEnd } from '../../contract/video/page-cursor.ts'
import { olderThan, query, type Database } from '../database.ts'
import { findAll, findOne, type Given } from '../statement.ts'
import {
  accounts,
  webhookDeliveries as deliveries,
  webhookEvents as events,
  type DeliveryRow,
  type EventRow,
} from '../tables/tables.ts'

/** Without its body, which can be a megabyte, and of which a list shows nothing. */
type ListedEvent = Omit<EventRow, 'body'>

export type ListedDelivery = { delivery: DeliveryRow; event: ListedEvent }

const handOverColumns = {
  id: deliveries.id,
  accountId: deliveries.accountId,
  url: deliveries.url,
  status: deliveries.status,
  dueAt: deliveries.dueAt,
  roundAt: deliveries.roundAt,
}

/** The part of a delivery that is needed to find its endpoint. */
export type DeliveryToHandOver = Pick<DeliveryRow, keyof typeof handOverColumns>

function selectToHandOver(db: Database) {
  return db.select(handOverColumns).from(deliveries)
}

function selectListed(db: Database) {
  const { body: _body, ...event } = getTableColumns(events)
  return db
    .select({ delivery: deliveries, event })
    .from(deliveries)
    .innerJoin(events, eq(events.id, deliveries.eventId))
}

export const findDeliveryToHandOver = findOne((db, id: Given<string>) =>
  selectToHandOver(db).where(eq(deliveries.id, id)),
)

/**
 * Pending deliveries that have been quiet for too long: first the most overdue of every account, then the second of
 * every account, and so on, so that an account with thousands of them does not keep out another.
 */
export const listDueDeliveries = findAll((db, now: Given<number>, limit: Given<number>) =>
  selectToHandOver(db)
    .where(and(sql`${deliveries.finishedAt} is null`, lte(deliveries.sweepAfter, now)))
    .orderBy(
      sql`row_number() over (partition by ${deliveries.accountId} order by ${deliveries.sweepAfter})`,
    )
    .limit(limit),
)

/** Everything that one attempt needs: what to send, where, and which secrets sign it. */
export type DeliveryToSend = {
  eventId: string
  type: DeliveryType
  url: string
  body: string
  status: DeliveryStatus
  dueAt: number | null
  attemptCount: number
  roundStart: number
  roundAt: number
  secret: string
  previousSecret: string | null
  previousExpiresAt: number | null
}

export const findDeliveryToSend = findOne((db, id: Given<string>) =>
  db
    .select({
      eventId: events.id,
      type: events.type,
      url: deliveries.url,
      body: events.body,
      status: deliveries.status,
      dueAt: deliveries.dueAt,
      attemptCount: deliveries.attemptCount,
      roundStart: deliveries.roundStart,
      roundAt: deliveries.roundAt,
      secret: accounts.webhookSecret,
      previousSecret: accounts.previousWebhookSecret,
      previousExpiresAt: accounts.previousSecretExpiresAt,
    })
    .from(deliveries)
    .innerJoin(events, eq(events.id, deliveries.eventId))
    .innerJoin(accounts, eq(accounts.id, deliveries.accountId))
    .where(eq(deliveries.id, id)),
)

/** One account's deliveries, newest first, strictly after `after`. */
export async function listDeliveries(
  d1: D1Database,
  accountId: string,
  page: { videoId?: string | undefined; after?: PageEnd | undefined; limit: number },
): Promise<ListedDelivery[]> {
  const { after, videoId } = page
  // The plus keeps SQLite off the account's index, which would read all its deliveries to find those of one video.
  const ofCaller =
    videoId === undefined
      ? eq(deliveries.accountId, accountId)
      : and(eq(events.videoId, videoId), sql`+${deliveries.accountId} = ${accountId}`)
  return query(d1, (db) =>
    selectListed(db)
      .where(and(ofCaller, olderThan(deliveries, after)))
      .orderBy(desc(deliveries.createdAt), desc(deliveries.id))
      .limit(page.limit),
  )
}

/** For the operator: the deliveries of all accounts, unless one is named. */
export async function listAllDeliveries(
  d1: D1Database,
  page: { accountId?: string | undefined; status?: DeliveryStatus | undefined; limit: number },
): Promise<ListedDelivery[]> {
  const { accountId, status } = page
  return query(d1, (db) =>
    selectListed(db)
      .where(
        and(
          accountId === undefined ? undefined : eq(deliveries.accountId, accountId),
          status === undefined ? undefined : eq(deliveries.status, status),
        ),
      )
      .orderBy(desc(deliveries.createdAt))
      .limit(page.limit),
  )
}

/** Finds a delivery of this account, or of any account for the operator, with the body of its event. */
export async function findDelivery(d1: D1Database, id: string, accountId?: string) {
  const isTheirs = accountId === undefined ? undefined : eq(deliveries.accountId, accountId)
  const [found] = await query(d1, (db) =>
    db
      .select({ delivery: deliveries, event: events })
      .from(deliveries)
      .innerJoin(events, eq(events.id, deliveries.eventId))
      .where(and(eq(deliveries.id, id), isTheirs)),
  )
  return found
}
