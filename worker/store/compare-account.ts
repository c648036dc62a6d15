import { hex } from '../contract/hex.ts'
import { callStorage } from './database.ts'
import type { AccountDatabase } from './databases.ts'
import { movedTables, type MovedTable } from './moved-tables.ts'

const pageRows = 250

export const comparedTables: readonly string[] = movedTables.map(({ name }) => name)

/** How many rows of the account a table has, and the SHA-256 of all of them in their order. */
export async function digestTable(
  d1: AccountDatabase,
  accountId: string,
  name: string,
): Promise<{ rows: number; sha256: string }> {
  const table = movedTables.find((one) => one.name === name)
  if (!table) throw new Error(`${name} does not move with an account`)
  const digest = new crypto.DigestStream('SHA-256')
  const writer = digest.getWriter()
  const encoder = new TextEncoder()
  let rows = 0
  for await (const page of pagesOf(d1, accountId, table)) {
    rows += page.length
    // Two databases may have got their columns in another order.
    const columns = Object.keys(page[0] ?? {}).sort()
    const text = page.map((row) => `${JSON.stringify(row, columns)}\n`).join('')
    await writer.write(encoder.encode(text))
  }
  await writer.close()
  return { rows, sha256: hex(new Uint8Array(await digest.digest)) }
}

/** How many rows of the account its largest table has. */
export async function countMost(d1: AccountDatabase, accountId: string): Promise<number> {
  const counts = movedTables.map(({ from }) =>
    d1.prepare(`SELECT count(*) AS rows FROM ${from}`).bind(accountId),
  )
  const found = await callStorage(() => d1.batch<{ rows: number }>(counts))
  return Math.max(...found.map(({ results }) => results[0]?.rows ?? 0))
}

async function* pagesOf(
  d1: AccountDatabase,
  accountId: string,
  { from, order }: MovedTable,
): AsyncGenerator<Record<string, unknown>[]> {
  const places = order.map((column, i) => `${column} AS place_${i}`).join(', ')
  const after = `(${order.join(', ')}) > (${order.map((_, i) => `?${i + 2}`).join(', ')})`
  let last: unknown[] | undefined
  for (;;) {
    const text = `SELECT ${places}, t.* FROM ${from} ${last ? `AND ${after}` : ''}
      ORDER BY ${order.join(', ')} LIMIT ${pageRows}`
    const statement = d1.prepare(text).bind(accountId, ...(last ?? []))
    const { results } = await callStorage(() => statement.all())
    if (results.length > 0) yield results
    const end = results.at(-1)
    if (!end || results.length < pageRows) return
    last = order.map((_, i) => end[`place_${i}`])
  }
}
