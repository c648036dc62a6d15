import { callStorage } from './database.ts'
import type { AccountDatabase } from './databases.ts'
import type { PlaceState } from './move-tables.ts'
import { movedTables, primaryKey, type MovedTable } from './moved-tables.ts'

/** Who moves which account; what somebody else has begun before is not written any more. */
export type Mover = { accountId: string; token: string }

type Row = Record<string, unknown>
type Key = (string | number)[]
type Change = { seq: number; table_name: string; key: string }

const isTransferring = (account: string, token: string) =>
  `EXISTS (SELECT 1 FROM account_places WHERE account_id = ${account} AND token = ${token} AND state = 'transfer')`

function changeState(
  d1: AccountDatabase,
  { accountId, token }: Mover,
  from: PlaceState,
  to: PlaceState,
) {
  return d1
    .prepare(
      `UPDATE account_places SET state = ?4 WHERE account_id = ?1 AND token = ?2 AND state = ?3`,
    )
    .bind(accountId, token, from, to)
}

/** Runs statements that the triggers let through, in one transaction. Returns how many rows each has changed. */
async function inTransfer(
  d1: AccountDatabase,
  mover: Mover,
  during: PlaceState,
  statements: readonly D1PreparedStatement[],
): Promise<number[]> {
  return callStorage(async () => {
    const results = await d1.batch([
      changeState(d1, mover, during, 'transfer'),
      ...statements,
      changeState(d1, mover, 'transfer', during),
    ])
    const changed = results.map(({ meta }) => meta.changes)
    if (changed[0] !== 1) throw new Error(`somebody else moves ${mover.accountId}`)
    return changed.slice(1, -1)
  })
}

/** From now on every change is noted, and all rows that there are count as changed. */
export async function beginLeaving(
  d1: AccountDatabase,
  { accountId, token }: Mover,
): Promise<void> {
  const seeds = movedTables.map(({ name, key, from, order }) =>
    d1
      .prepare(
        `INSERT INTO account_changes (account_id, table_name, key)
         SELECT ?1, '${name}', json_array(${key.map((column) => `t.${column}`).join(', ')})
         FROM ${from} ORDER BY ${order.join(', ')}`,
      )
      .bind(accountId),
  )
  await callStorage(() =>
    d1.batch([
      d1.prepare(`DELETE FROM account_changes WHERE account_id = ?1`).bind(accountId),
      d1
        .prepare(
          `INSERT INTO account_places (account_id, state, token) VALUES (?1, 'leaving', ?2)
           ON CONFLICT (account_id) DO UPDATE SET token = excluded.token WHERE state = 'leaving'`,
        )
        .bind(accountId, token),
      ...seeds,
    ]),
  )
}

const pageRows = 40

/** The next rows that changed, as they are now. */
export type Page = { seqs: number[]; rows: { table: MovedTable; key: Key; row: Row | undefined }[] }

export async function readPage(d1: AccountDatabase, accountId: string): Promise<Page> {
  return callStorage(async () => {
    const noted = await d1
      .prepare(
        `SELECT seq, table_name, key FROM account_changes WHERE account_id = ?1 ORDER BY seq LIMIT ${pageRows}`,
      )
      .bind(accountId)
      .all<Change>()
    const seqs = noted.results.map(({ seq }) => seq)
    const named = new Map(noted.results.map((one) => [`${one.table_name} ${one.key}`, one]))
    const wanted = [...named.values()].flatMap(({ table_name, key }) => {
      const table = movedTables.find(({ name }) => name === table_name)
      return table ? [{ table, key: JSON.parse(key) as Key }] : []
    })
    if (wanted.length === 0) return { seqs, rows: [] }
    // One transaction, so that rows that refer to each other fit together.
    const found = await d1.batch<Row>(wanted.map((one) => selectRow(d1, accountId, one)))
    return { seqs, rows: wanted.map((one, i) => ({ ...one, row: found[i]?.results[0] })) }
  })
}

function bound(table: MovedTable, accountId: string, key: Key): Key {
  return table.isKeyOwn === false ? [accountId, ...key] : key
}

function matches(table: MovedTable): string {
  return primaryKey(table)
    .map((column, i) => `${column} = ?${i + 1}`)
    .join(' AND ')
}

function selectRow(
  d1: AccountDatabase,
  accountId: string,
  { table, key }: { table: MovedTable; key: Key },
): D1PreparedStatement {
  const text = `SELECT * FROM ${table.name} WHERE ${matches(table)}`
  return d1.prepare(text).bind(...bound(table, accountId, key))
}

/** Brings these rows of the arriving account to what the page says of them. */
export async function writePage(d1: AccountDatabase, mover: Mover, page: Page): Promise<void> {
  const statements = page.rows.flatMap(({ table, key, row }) =>
    row ? putRow(d1, mover, table, row) : removeRow(d1, mover, table, key),
  )
  if (statements.length > 0) await inTransfer(d1, mover, 'arriving', statements)
}

function putRow(
  d1: AccountDatabase,
  { accountId, token }: Mover,
  table: MovedTable,
  row: Row,
): D1PreparedStatement[] {
  const columns = Object.keys(row)
  const values = columns.map((_, i) => `?${i + 3}`).join(', ')
  const sets = columns.map((column) => `${column} = excluded.${column}`).join(', ')
  const put = d1
    .prepare(
      `INSERT INTO ${table.name} (${columns.join(', ')}) SELECT ${values} WHERE ${isTransferring('?1', '?2')}
       ON CONFLICT (${primaryKey(table).join(', ')}) DO UPDATE SET ${sets}`,
    )
    .bind(accountId, token, ...Object.values(row))
  if (table.name !== 'webhook_endpoints') return [put]
  // Two endpoints may have exchanged their addresses; the other one is noted as changed, too.
  const makeRoom = d1
    .prepare(
      `DELETE FROM webhook_endpoints WHERE account_id = ?1 AND url = ?3 AND id <> ?4 AND ${isTransferring('?1', '?2')}`,
    )
    .bind(accountId, token, row['url'], row['id'])
  return [makeRoom, put]
}

function removeRow(
  d1: AccountDatabase,
  { accountId }: Mover,
  table: MovedTable,
  key: Key,
): D1PreparedStatement[] {
  const children = (table.children ?? []).map((text) => d1.prepare(text).bind(key[0]))
  const text = `DELETE FROM ${table.name} WHERE ${matches(table)}`
  return [...children, d1.prepare(text).bind(...bound(table, accountId, key))]
}

/** The page is where it belongs. */
export async function forgetChanges(d1: AccountDatabase, seqs: readonly number[]): Promise<void> {
  const text = 'DELETE FROM account_changes WHERE seq IN (SELECT value FROM json_each(?1))'
  await callStorage(() => d1.prepare(text).bind(JSON.stringify(seqs)).run())
}

const clearedAtOnce = 400

/** Removes rows of an account that is not here. Returns how many; 0 once there are none. */
export async function clearRows(d1: AccountDatabase, mover: Mover): Promise<number> {
  for (const { name, from } of movedTables.toReversed()) {
    const some = `SELECT t.rowid FROM ${from} LIMIT ${clearedAtOnce}`
    const text = `DELETE FROM ${name} WHERE rowid IN (${some}) AND ${isTransferring('?1', '?2')}`
    const [removed = 0] = await inTransfer(d1, mover, 'gone', [
      d1.prepare(text).bind(mover.accountId, mover.token),
    ])
    if (removed > 0) return removed
  }
  return 0
}
