import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Role } from '../../contract/people/member.ts'

/** The tables of people and how they sign in; a test keeps them the same as migrations/. */

export const people = sqliteTable('people', {
  id: text().primaryKey(),
  email: text(),
  name: text(),
  passwordHash: text('password_hash'),
  accountId: text('account_id'),
  createdAt: integer('created_at').notNull(),
})
export type PersonRow = typeof people.$inferSelect

export const members = sqliteTable(
  'members',
  {
    accountId: text('account_id').notNull(),
    personId: text('person_id').notNull(),
    role: text().$type<Role>().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.personId] })],
)

export const sessions = sqliteTable('sessions', {
  id: text().primaryKey(),
  tokenHash: text('token_hash').notNull(),
  personId: text('person_id').notNull(),
  accountId: text('account_id').notNull(),
  userAgent: text('user_agent'),
  createdAt: integer('created_at').notNull(),
  lastSeenAt: integer('last_seen_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
})
export type SessionRow = typeof sessions.$inferSelect

export const invitations = sqliteTable('invitations', {
  id: text().primaryKey(),
  accountId: text('account_id').notNull(),
  email: text().notNull(),
  role: text().$type<Role>().notNull(),
  tokenHash: text('token_hash').notNull(),
  invitedBy: text('invited_by').notNull(),
  createdAt: integer('created_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
})
export type InvitationRow = typeof invitations.$inferSelect

/** What a token permits: signing in, choosing a new password, finishing a sign-up, confirming an address. */
export type TokenPurpose = 'sign-in' | 'reset' | 'sign-up' | 'address'

export const oneTimeTokens = sqliteTable('one_time_tokens', {
  tokenHash: text('token_hash').primaryKey(),
  purpose: text().$type<TokenPurpose>().notNull(),
  personId: text('person_id'),
  details: text({ mode: 'json' }).$type<Record<string, string | null>>().notNull(),
  createdAt: integer('created_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
})
export type TokenRow = typeof oneTimeTokens.$inferSelect

export const attempts = sqliteTable('attempts', {
  subject: text().primaryKey(),
  count: integer().notNull(),
  expiresAt: integer('expires_at').notNull(),
})
