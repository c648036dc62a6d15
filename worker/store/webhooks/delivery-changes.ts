import {
  and,
  eq,
  exists,
  inArray,
  isNotNull,
  isNull,
  lt,
  notExists,
  sql,
  type Column,
  type SQL,
} from 'drizzle-orm'
import { webhookLimits } from '../../contract/limits.ts'
import type { DeliveryAttempt, DeliveryStatus } from '../../contract/webhooks/webhook-delivery.ts'
import { testEventType } from '../../contract/webhooks/webhook-event.ts'
import { among, query } from '../database.ts'
import { change, findOne, together, type Given } from '../statement.ts'
import { firstSweepMs } from '../sweep-times.ts'
import {
  videos,
  webhookDeliveries as deliveries,
  webhookEvents as events,
  type DeliveryRow,
} from '../tables/tables.ts'
import { tell, type ToldEvent } from './tell.ts'

export type NotedAttempt = {
  /** Which attempt of the delivery this was, over all its rounds; never repeats. */
  number: number
  /** The `roundStart` it was made under. */
  round: number
  /** The `roundAt` it was made under. */
  roundAt: number
  entry: DeliveryAttempt
  next: { status: 'pending'; dueAt: number } | { status: Exclude<DeliveryStatus, 'pending'> }
}

/**
 * Logs an attempt and its consequence once, however often it is called; undefined if the delivery is gone. A failure does
 * not end the delivery if a redelivery has begun a new round meanwhile, and does not retry it if its endpoint was disabled
 * or deleted meanwhile. A redelivery that was requested during the first attempt knew of no attempt, so its round begins
 * after the one that is logged here.
 */
export async function recordAttempt(
  d1: D1Database,
  id: string,
  { number, round, roundAt, entry, next }: NotedAttempt,
  now: number,
): Promise<Pick<DeliveryRow, 'status' | 'dueAt'> | undefined> {
  const dueAt = next.status === 'pending' ? next.dueAt : null
  const isLast = next.status === 'succeeded' || next.status === 'stopped'
  const recorded = await (isLast ? recordLast : recordOne)(d1, id, {
    ...{ number, round, roundAt, entry: JSON.stringify(entry), status: next.status, dueAt },
    ...{ sweepAfter: (dueAt ?? now) + firstSweepMs, finishedAt: dueAt === null ? now : null },
  })
  // Nothing changed, because the attempt was recorded before and only the answer was lost.
  return recorded ?? findState(d1, id)
}

const state = { status: deliveries.status, dueAt: deliveries.dueAt }

const findState = findOne((db, id: Given<string>) =>
  db.select(state).from(deliveries).where(eq(deliveries.id, id)),
)

type RecordedAttempt = Pick<NotedAttempt, 'number' | 'round' | 'roundAt'> &
  Pick<DeliveryRow, 'status' | 'dueAt' | 'sweepAfter' | 'finishedAt'> & { entry: string }

function recording(isLast: boolean) {
  return findOne((db, id: Given<string>, to: Given<RecordedAttempt>) => {
    const { number, round, roundAt } = to
    const isEarlier = sql`${deliveries.roundAt} <> ${roundAt}`
    const isOfRound = sql`(${deliveries.roundStart} = ${round} and not ${isEarlier})`
    const unlessOvertaken = (column: Column, value: SQL) =>
      isLast
        ? value
        : sql`case when ${isOfRound} and ${deliveries.finishedAt} is null then ${value} else ${column} end`
    return db
      .update(deliveries)
      .set({
        attempts: appended(to.entry),
        attemptCount: number,
        roundStart: sql`case when ${deliveries.roundStart} = ${round} and ${isEarlier} then ${number} else ${deliveries.roundStart} end`,
        status: unlessOvertaken(deliveries.status, to.status),
        dueAt: unlessOvertaken(deliveries.dueAt, to.dueAt),
        sweepAfter: unlessOvertaken(deliveries.sweepAfter, to.sweepAfter),
        sweeps: 0,
        finishedAt: unlessOvertaken(deliveries.finishedAt, to.finishedAt),
      })
      .where(and(eq(deliveries.id, id), lt(deliveries.attemptCount, number)))
      .returning(state)
  })
}

const recordLast = recording(true)
const recordOne = recording(false)

/** The log with this entry added, and without its oldest entry if it is full. */
function appended(entry: SQL) {
  const { attempts } = deliveries
  const kept = sql`case when json_array_length(${attempts}) < ${webhookLimits.loggedAttempts} then ${attempts} else json_remove(${attempts}, '$[0]') end`
  return sql`json_insert(${kept}, '$[#]', json(${entry}))`
}

/** Stores a test event, which has no video, and its delivery, which is due at once. */
export async function insertTestDelivery(
  d1: D1Database,
  test: { eventId: string; deliveryId: string; accountId: string; url: string; body: string },
  now: number,
): Promise<void> {
  const { eventId, deliveryId, accountId, url, body } = test
  const event: ToldEvent = {
    ...{ accountId, type: testEventType, body },
    deliveries: [{ deliveryId, url, endpointId: null }],
  }
  const telling = { eventId, videoId: '', now, ended: sql`true` }
  await query(d1, (db) => db.batch(tell(db, event, telling)))
}

/** Starts the schedule again, at once. A `body` replaces the stored one. */
export async function startRedelivery(
  d1: D1Database,
  delivery: { id: string; eventId: string; body: string | undefined },
  now: number,
): Promise<DeliveryRow | undefined> {
  const { id, eventId, body } = delivery
  return query(d1, async (db) => {
    const restarted = db
      .update(deliveries)
      .set({
        status: 'pending',
        roundStart: sql`${deliveries.attemptCount}`,
        roundAt: now,
        dueAt: now,
        sweepAfter: now + firstSweepMs,
        sweeps: 0,
        finishedAt: null,
        url: sql`coalesce((select now.url from webhook_endpoints as now where now.id = ${deliveries.endpointId}), ${deliveries.url})`,
      })
      .where(eq(deliveries.id, id))
      .returning()
    if (body === undefined) return (await restarted)[0]
    // If the video was deleted after the body was read, the stored body has lost its text and must remain so.
    const video = db
      .select({ one: sql`1` })
      .from(videos)
      .where(eq(videos.id, events.videoId))
    const renewed = db
      .update(events)
      .set({ body })
      .where(and(eq(events.id, eventId), exists(video)))
    const [[row]] = await db.batch([restarted, renewed])
    return row
  })
}

/** Ends deliveries whose attempts never happened, so that the operator sees them and can replay them. */
export const markExhausted = change((db, ids: Given<readonly string[]>, now: Given<number>) =>
  db
    .update(deliveries)
    .set({ status: 'exhausted', dueAt: null, finishedAt: now })
    .where(and(among(deliveries.id, ids), isNull(deliveries.finishedAt))),
)

/** Forgets ended deliveries that were made before this time, and then events without a delivery. */
export const forgetDeliveries = together((db, before: Given<number>, limit: Given<number>) => {
  const old = db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(lt(deliveries.createdAt, before), isNotNull(deliveries.finishedAt)))
    .limit(limit)
  const needed = db
    .select({ one: sql`1` })
    .from(deliveries)
    .where(eq(deliveries.eventId, events.id))
  const unneeded = db
    .select({ id: events.id })
    .from(events)
    .where(and(lt(events.createdAt, before), notExists(needed)))
    .limit(limit)
  return [
    db.delete(deliveries).where(inArray(deliveries.id, old)),
    db.delete(events).where(inArray(events.id, unneeded)),
  ]
})
