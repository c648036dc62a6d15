import { and, asc, desc, eq, gt, lte, sql } from 'drizzle-orm'
import { hex } from '../contract/keyed-hash.ts'
import { among, callStorage, query } from './database.ts'
import { findAll, type Given } from './statement.ts'
import { selectRow } from './insert-row.ts'
import { tracePrefix } from './jobs/traces.ts'
import { writeToBucket } from './objects/objects.ts'
import { keptWords, videos } from './tables/tables.ts'

/** The bucket, which has the words, and the database, which says whose they are. */
type WordStores = { DB: D1Database; BUCKET: R2Bucket }
/** The video whose media worker stores words or asks for them. */
type Keeper = { accountId: string; videoId: string; engine: string }
type Words = { name: string; text: string }

/** One tick removes this many at most, in one call of the bucket; the next one continues. */
const removedPerTick = 500

function wordsKey({ videoId, name }: { videoId: string; name: string }): string {
  return `${tracePrefix(videoId)}words/${name}.json`
}

/** Keeps the words that were heard, if the video is still at work: one that has ended may be deleted at any moment. */
export async function keepWords(
  { DB, BUCKET }: WordStores,
  { accountId, videoId, engine }: Keeper,
  { name, text, expiresAt }: Words & { expiresAt: number },
): Promise<void> {
  const httpMetadata = { contentType: 'application/json' }
  const sha256 = await digestOf(text)
  await callStorage(async () =>
    writeToBucket(async () => BUCKET.put(wordsKey({ videoId, name }), text, { httpMetadata })),
  )
  const row = selectRow(keptWords, { accountId, name, engine, videoId, sha256, expiresAt })
  const isRunning = sql`exists (select 1 from ${videos}
    where ${videos.id} = ${videoId} and ${videos.accountId} = ${accountId} and ${videos.status} = 'running')`
  const target = [keptWords.accountId, keptWords.name, keptWords.engine, keptWords.videoId]
  await query(DB, (db) =>
    db
      .insert(keptWords)
      .select(sql`${row} where ${isRunning}`)
      .onConflictDoUpdate({ target, set: { sha256, expiresAt } }),
  )
}

/** The words that this engine has heard for a video of the account under the first of these names that exists. */
export async function findWords(
  { DB, BUCKET }: WordStores,
  { accountId, engine }: Pick<Keeper, 'accountId' | 'engine'>,
  { names, now }: { names: readonly string[]; now: number },
): Promise<Words | undefined> {
  const rows = await query(DB, (db) =>
    db
      .select()
      .from(keptWords)
      .where(
        and(
          eq(keptWords.accountId, accountId),
          among(keptWords.name, names),
          eq(keptWords.engine, engine),
          gt(keptWords.expiresAt, now),
        ),
      )
      .orderBy(desc(keptWords.expiresAt)),
  )
  for (const row of rows.toSorted((a, b) => names.indexOf(a.name) - names.indexOf(b.name))) {
    const text = await callStorage(async () => (await BUCKET.get(wordsKey(row)))?.text())
    if (text !== undefined && (await digestOf(text)) === row.sha256) return { name: row.name, text }
  }
  return undefined
}

const listDue = findAll((db, now: Given<number>) =>
  db
    .select()
    .from(keptWords)
    .where(lte(keptWords.expiresAt, now))
    .orderBy(asc(keptWords.expiresAt))
    .limit(removedPerTick),
)

/** For the sweep: removes words that no job has used for their whole lifetime. */
export async function forgetWords({ DB, BUCKET }: WordStores, now: number): Promise<void> {
  const due = await listDue(DB, now)
  if (due.length === 0) return
  await callStorage(() => BUCKET.delete(due.map(wordsKey)))
  // A job may have used some of them since, which prolongs them.
  const gone = JSON.stringify(due.map(({ videoId, name }) => `${videoId} ${name}`))
  const isGone = sql`${keptWords.videoId} || ' ' || ${keptWords.name} in (select value from json_each(${gone}))`
  await query(DB, (db) => db.delete(keptWords).where(and(lte(keptWords.expiresAt, now), isGone)))
}

async function digestOf(text: string): Promise<string> {
  return hex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))))
}
