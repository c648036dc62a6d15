import { inArray, sql } from 'drizzle-orm'
import { query } from '../database.ts'
import { attempts } from '../tables/people-tables.ts'

/** Counts one more attempt, in one statement, so that attempts at the same moment all count. */
export async function countAttempt(
  d1: D1Database,
  { subject, windowMs, now }: { subject: string; windowMs: number; now: number },
): Promise<{ count: number; expiresAt: number }> {
  const isOver = sql`${attempts.expiresAt} <= ${now}`
  const [counted] = await query(d1, (db) =>
    db
      .insert(attempts)
      .values({ subject, count: 1, expiresAt: now + windowMs })
      .onConflictDoUpdate({
        target: attempts.subject,
        set: {
          count: sql`case when ${isOver} then 1 else ${attempts.count} + 1 end`,
          expiresAt: sql`case when ${isOver} then excluded.expires_at else ${attempts.expiresAt} end`,
        },
      })
      .returning({ count: attempts.count, expiresAt: attempts.expiresAt }),
  )
  return counted ?? { count: 1, expiresAt: now + windowMs }
}

/** Takes one attempt back: it succeeded. */
export async function forgiveAttempt(d1: D1Database, subjects: readonly string[]): Promise<void> {
  await query(d1, (db) =>
    db
      .update(attempts)
      .set({ count: sql`max(0, ${attempts.count} - 1)` })
      .where(inArray(attempts.subject, [...subjects])),
  )
}
