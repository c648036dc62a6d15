import { and, asc, eq, isNull, sql, type SQL } from 'drizzle-orm'
import { webhookEndpoints as endpoints, type EndpointRow } from '../tables/account-tables.ts'
import { query, tableOfTakenKey, type Database } from '../database.ts'
import { findAll, findOne, type Given } from '../statement.ts'
import { selectRow } from '../insert-row.ts'
import { webhookDeliveries as deliveries } from '../tables/tables.ts'

/** Stores an endpoint. The statement that counts those of the account also inserts. */
export async function insertEndpoint(d1: D1Database, endpoint: EndpointRow, most: number) {
  return query(d1, async (db) => {
    const count = db
      .select({ n: sql`count(*)` })
      .from(endpoints)
      .where(eq(endpoints.accountId, endpoint.accountId))
    try {
      const inserted = await db
        .insert(endpoints)
        .select(sql`${selectRow(endpoints, endpoint)} where ${count} < ${most}`)
        .returning({ id: endpoints.id })
      return inserted.length > 0 ? 'inserted' : 'full'
    } catch (error) {
      if (tableOfTakenKey(error) === 'webhook_endpoints') return 'url-taken'
      throw error
    }
  })
}

export const findEndpoint = findOne((db, accountId: Given<string>, id: Given<string>) =>
  db.select().from(endpoints).where(isMine(accountId, id)),
)

export const listEndpoints = findAll((db, accountId: Given<string>) =>
  db
    .select()
    .from(endpoints)
    .where(eq(endpoints.accountId, accountId))
    .orderBy(asc(endpoints.createdAt), asc(endpoints.id)),
)

export type EndpointChange = Partial<
  Pick<EndpointRow, 'url' | 'description' | 'eventTypes' | 'disabledAt'>
>

/** Changes the endpoint and its pending deliveries: they go to its new address, and a disabled endpoint gets no more of them. */
export async function updateEndpoint(
  d1: D1Database,
  endpoint: Pick<EndpointRow, 'accountId' | 'id'>,
  change: EndpointChange,
  now: number,
): Promise<EndpointRow | 'url-taken' | undefined> {
  const { accountId, id } = endpoint
  const { url, disabledAt } = change
  return query(d1, async (db) => {
    const changed = db
      .update(endpoints)
      .set({ ...change, updatedAt: now })
      .where(isMine(accountId, id))
      .returning()
    const onTheirWay =
      typeof disabledAt === 'number'
        ? [stopDeliveries(db, accountId, id, now)]
        : url === undefined
          ? []
          : [db.update(deliveries).set({ url }).where(isOnItsWay(accountId, id))]
    try {
      return (await db.batch([changed, ...onTheirWay]))[0][0]
    } catch (error) {
      if (tableOfTakenKey(error) === 'webhook_endpoints') return 'url-taken'
      throw error
    }
  })
}

/** Deletes the endpoint and stops its pending deliveries. Returns false if it did not exist. */
export async function deleteEndpoint(d1: D1Database, accountId: string, id: string, now: number) {
  const [deleted] = await query(d1, (db) =>
    db.batch([
      db.delete(endpoints).where(isMine(accountId, id)).returning({ id: endpoints.id }),
      stopDeliveries(db, accountId, id, now),
    ]),
  )
  return deleted.length > 0
}

function stopDeliveries(db: Database, accountId: string, id: string, now: number) {
  return db
    .update(deliveries)
    .set({ status: 'stopped', dueAt: null, finishedAt: now })
    .where(isOnItsWay(accountId, id))
}

function isMine(accountId: string | Given<string>, id: string | Given<string>): SQL | undefined {
  return and(eq(endpoints.id, id), eq(endpoints.accountId, accountId))
}

/** The pending deliveries of an endpoint. The plus keeps SQLite off the account's index, which would read all its deliveries. */
function isOnItsWay(accountId: string, id: string): SQL | undefined {
  return and(
    eq(deliveries.endpointId, id),
    isNull(deliveries.finishedAt),
    sql`+${deliveries.accountId} = ${accountId}`,
  )
}
