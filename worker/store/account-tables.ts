import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { PresetFields } from '../contract/preset.ts'

/** What an account keeps beside its videos; the tables of the work itself are in tables.ts. */

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
