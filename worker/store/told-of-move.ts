import { callStorage } from './database.ts'
import type { AccountDatabase, HomeDatabase } from './databases.ts'

/** The hashes of all keys that may still be used, which name their gates. */
export async function listKeyHashes(d1: HomeDatabase, accountId: string): Promise<string[]> {
  const text = 'SELECT hash FROM api_keys WHERE account_id = ? AND revoked_at IS NULL'
  return callStorage(async () => {
    const { results } = await d1.prepare(text).bind(accountId).all<{ hash: string }>()
    return results.map(({ hash }) => hash)
  })
}

/** The jobs of the account that have not ended: their objects still work in its database. */
export async function listOpenJobs(d1: AccountDatabase, accountId: string): Promise<string[]> {
  const text = `SELECT j.id FROM videos AS v JOIN jobs AS j ON j.video_id = v.id
    WHERE v.account_id = ?1 AND v.status IN ('queued', 'running')`
  return callStorage(async () => {
    const { results } = await d1.prepare(text).bind(accountId).all<{ id: string }>()
    return results.map(({ id }) => id)
  })
}

/** Where webhooks of the account are still to be sent, or were lately. */
export async function listReceivers(
  d1: AccountDatabase,
  accountId: string,
  since: number,
): Promise<string[]> {
  const text = `SELECT DISTINCT coalesce(d.url, e.url) AS url
    FROM webhook_deliveries AS d JOIN webhook_events AS e ON e.id = d.event_id
    WHERE d.account_id = ?1 AND (d.finished_at IS NULL OR d.finished_at > ?2)`
  return callStorage(async () => {
    const { results } = await d1.prepare(text).bind(accountId, since).all<{ url: string }>()
    return results.map(({ url }) => url)
  })
}
