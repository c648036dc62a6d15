import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** `leaving`: every change is noted; `closed`: nothing may change any more; `transfer`: only within one transaction. */
export type PlaceState = 'leaving' | 'closed' | 'gone' | 'arriving' | 'transfer'

/** Accounts that do not simply live in this database. Triggers of the account's tables read it at every change. */
export const accountPlaces = sqliteTable('account_places', {
  accountId: text('account_id').primaryKey(),
  state: text().$type<PlaceState>().notNull(),
  token: text().notNull(),
})

/** Written by triggers only: the keys of rows that changed while their account was leaving. */
export const accountChanges = sqliteTable('account_changes', {
  seq: integer().primaryKey(),
  accountId: text('account_id').notNull(),
  tableName: text('table_name').notNull(),
  key: text().notNull(),
})

export type MoveStep = 'begin' | 'copy' | 'compare' | 'switch' | 'tell' | 'clear' | 'undo' | 'done'

/** In the home database: how far each move has come, and the record of the last one. */
export const accountMoves = sqliteTable('account_moves', {
  accountId: text('account_id').primaryKey(),
  fromShard: integer('from_shard').notNull(),
  toShard: integer('to_shard').notNull(),
  step: text().$type<MoveStep>().notNull(),
  token: text().notNull(),
  leaseUntil: integer('lease_until').notNull(),
  startedAt: integer('started_at').notNull(),
  closedAt: integer('closed_at'),
  switchedAt: integer('switched_at'),
  finishedAt: integer('finished_at'),
  compared: text({ mode: 'json' }).$type<Compared>(),
})
export type MoveRow = typeof accountMoves.$inferSelect

/** For each table: how many rows the account has, and the SHA-256 of all of them, which both sides have. */
export type Compared = Record<string, { rows: number; sha256: string }>
