import { sql, type Column, type SQL } from 'drizzle-orm'

/**
 * Where an account lives, for statements that look at all accounts of a database: rows of an account that is being copied
 * here, or that has gone, are not looked at.
 */
export function livesHere(accountId: Column | string): SQL {
  return notIn(accountId, sql`('arriving', 'gone')`)
}

/** The same for statements that write: a closed account is about to live elsewhere, and its rows cannot change. */
export function mayChange(accountId: Column | string): SQL {
  return notIn(accountId, sql`('arriving', 'gone', 'closed')`)
}

function notIn(accountId: Column | string, states: SQL): SQL {
  const column = typeof accountId === 'string' ? sql.raw(accountId) : accountId
  return sql`not exists (select 1 from account_places as p where p.account_id = ${column} and p.state in ${states})`
}

/** The same as text, for statements that are written as text. */
export const livesHereText = (accountId: string) =>
  `NOT EXISTS (SELECT 1 FROM account_places AS p WHERE p.account_id = ${accountId} AND p.state IN ('arriving', 'gone'))`

export const mayChangeText = (accountId: string) =>
  `NOT EXISTS (SELECT 1 FROM account_places AS p WHERE p.account_id = ${accountId} AND p.state IN ('arriving', 'gone', 'closed'))`
