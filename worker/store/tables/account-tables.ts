import { integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { PresetFields } from '../../contract/options/presets/preset.ts'
import type { Addressing } from '../../contract/storages/storage.ts'

/** What an account keeps besides its videos; the tables of the work itself are in tables.ts. */

export const presets = sqliteTable(
  'presets',
  {
    accountId: text('account_id').notNull(),
    name: text().notNull(),
    description: text(),
    fields: text({ mode: 'json' }).$type<PresetFields>().notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.name] })],
)
export type PresetRow = typeof presets.$inferSelect

export const storages = sqliteTable(
  'storages',
  {
    accountId: text('account_id').notNull(),
    name: text().notNull(),
    endpoint: text().notNull(),
    region: text().notNull(),
    bucket: text().notNull(),
    prefix: text().notNull(),
    addressing: text().$type<Addressing>().notNull(),
    accessKeyId: text('access_key_id').notNull(),
    sealedSecret: text('sealed_secret').notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.name] })],
)
export type StorageRow = typeof storages.$inferSelect

export const webhookEndpoints = sqliteTable('webhook_endpoints', {
  id: text().primaryKey(),
  accountId: text('account_id').notNull(),
  url: text().notNull(),
  description: text(),
  eventTypes: text('event_types', { mode: 'json' }).$type<string[]>(),
  disabledAt: integer('disabled_at'),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
})
export type EndpointRow = typeof webhookEndpoints.$inferSelect

const countedOfBoth = {
  succeeded: integer().notNull().default(0),
  failed: integer().notNull().default(0),
  canceled: integer().notNull().default(0),
  secondsIn: real('seconds_in').notNull().default(0),
  secondsOut: real('seconds_out').notNull().default(0),
  keptBytes: integer('kept_bytes').notNull().default(0),
}

/** Seconds of processors, by kind of work. */
const workSeconds = {
  measuring: real('measuring_seconds').notNull().default(0),
  rendering: real('rendering_seconds').notNull().default(0),
  transcribing: real('transcribing_seconds').notNull().default(0),
  analysing: real('analysing_seconds').notNull().default(0),
}

/** Written only by triggers of the database; `keptBytes` is the change on that day. */
export const usageDays = sqliteTable(
  'usage_days',
  {
    accountId: text('account_id').notNull(),
    day: text().notNull(),
    ...countedOfBoth,
    ...workSeconds,
    resultBytes: integer('result_bytes').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.day] })],
)
export type UsageDayRow = typeof usageDays.$inferSelect

/** Written by triggers too. */
export const usageTotals = sqliteTable('usage_totals', {
  accountId: text('account_id').primaryKey(),
  ...countedOfBoth,
  processorSeconds: real('processor_seconds').notNull().default(0),
  /** How many videos were encoded because a copy of their pictures did not prove to be exact. */
  copiesFailed: integer('copies_failed').notNull().default(0),
})
