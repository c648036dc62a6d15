import { callStorage } from './database.ts'
import type { AccountDatabase } from './databases.ts'
import type { Mover } from './copy-account.ts'
import type { PlaceState } from './move-tables.ts'

/** What a row of an account has that counts where it lives; who the account is stands in the home. */
const living = [
  'name',
  'retain_sources_days',
  'retain_outputs_days',
  'webhook_secret',
  'previous_webhook_secret',
  'previous_secret_expires_at',
  'weight',
  'max_running',
  'turn',
  'archive_after_days',
]
const columns = ['id', 'created_at', ...living]

/** The account is to be copied here: its own row is, and no other may be written but by the mover. */
export async function expectAccount(
  from: AccountDatabase,
  to: AccountDatabase,
  mover: Mover,
): Promise<void> {
  await callStorage(() =>
    to
      .prepare(
        `INSERT INTO account_places (account_id, state, token) VALUES (?1, 'arriving', ?2)
         ON CONFLICT (account_id) DO UPDATE SET state = 'arriving', token = excluded.token`,
      )
      .bind(mover.accountId, mover.token)
      .run(),
  )
  await copyAccountRow(from, to, mover)
}

export async function copyAccountRow(
  from: AccountDatabase,
  to: AccountDatabase,
  { accountId, token }: Mover,
): Promise<void> {
  await callStorage(async () => {
    const row = await readAccountRow(from, accountId)
    const sets = living.map((column) => `${column} = excluded.${column}`).join(', ')
    await to
      .prepare(
        `INSERT INTO accounts (${columns.join(', ')}) SELECT ${columns.map((_, i) => `?${i + 3}`).join(', ')}
         WHERE EXISTS (SELECT 1 FROM account_places WHERE account_id = ?1 AND token = ?2 AND state = 'arriving')
         ON CONFLICT (id) DO UPDATE SET ${sets}`,
      )
      .bind(accountId, token, ...columns.map((column) => row[column] ?? null))
      .run()
  })
}

export async function readAccountRow(
  d1: AccountDatabase,
  accountId: string,
): Promise<Record<string, unknown>> {
  const text = `SELECT ${columns.join(', ')} FROM accounts WHERE id = ?`
  return callStorage(async () => {
    const row = await d1.prepare(text).bind(accountId).first()
    if (!row) throw new Error(`the account ${accountId} has no row where it lives`)
    return row
  })
}

/** The driver that has taken the lease of the move writes from now on; what another one has begun is not written. */
export async function takePlace(d1: AccountDatabase, { accountId, token }: Mover): Promise<void> {
  await callStorage(() =>
    d1
      .prepare('UPDATE account_places SET token = ?2 WHERE account_id = ?1')
      .bind(accountId, token)
      .run(),
  )
}

/** Repeating it is harmless. */
export async function setPlace(
  d1: AccountDatabase,
  { accountId, token }: Mover,
  { from, to }: { from: readonly PlaceState[]; to: PlaceState },
): Promise<void> {
  await callStorage(() =>
    d1
      .prepare(
        `UPDATE account_places SET state = ?3
         WHERE account_id = ?1 AND token = ?2 AND state IN (SELECT value FROM json_each(?4))`,
      )
      .bind(accountId, token, to, JSON.stringify(from))
      .run(),
  )
}

/** The account simply lives here. */
export async function openPlace(
  d1: AccountDatabase,
  { accountId, token }: Mover,
  from: PlaceState,
): Promise<void> {
  await callStorage(() =>
    d1.batch([
      d1
        .prepare('DELETE FROM account_places WHERE account_id = ?1 AND token = ?2 AND state = ?3')
        .bind(accountId, token, from),
      d1
        .prepare(
          `DELETE FROM account_changes WHERE account_id = ?1
           AND NOT EXISTS (SELECT 1 FROM account_places WHERE account_id = ?1)`,
        )
        .bind(accountId),
    ]),
  )
}
