import { and, asc, eq, ne, sql } from 'drizzle-orm'
import { callStorage, openDatabase } from './database.ts'
import { selectRow } from './insert-row.ts'
import { presets, type PresetRow } from './tables/account-tables.ts'

function named(accountId: string, name: string) {
  return and(eq(presets.accountId, accountId), eq(presets.name, name))
}

export async function findPreset(
  d1: D1Database,
  accountId: string,
  name: string,
): Promise<PresetRow | undefined> {
  return callStorage(() =>
    openDatabase(d1).select().from(presets).where(named(accountId, name)).get(),
  )
}

export async function listPresets(d1: D1Database, accountId: string): Promise<PresetRow[]> {
  return callStorage(() =>
    openDatabase(d1)
      .select()
      .from(presets)
      .where(eq(presets.accountId, accountId))
      .orderBy(asc(presets.name))
      .all(),
  )
}

export async function listPresetNames(d1: D1Database, accountId: string): Promise<string[]> {
  return callStorage(async () => {
    const found = openDatabase(d1).select({ name: presets.name }).from(presets)
    const rows = await found.where(eq(presets.accountId, accountId)).all()
    return rows.map(({ name }) => name)
  })
}

/**
 * Creates the preset or replaces it. Returns undefined if the account has `most` others already; the statement that
 * counts them also writes.
 */
export async function savePreset(
  d1: D1Database,
  preset: PresetRow,
  most: number,
): Promise<PresetRow | undefined> {
  const db = openDatabase(d1)
  const others = db
    .select({ n: sql`count(*)` })
    .from(presets)
    .where(and(eq(presets.accountId, preset.accountId), ne(presets.name, preset.name)))
  const { description, fields, updatedAt } = preset
  return callStorage(() =>
    db
      .insert(presets)
      .select(sql`${selectRow(presets, preset)} where ${others} < ${most}`)
      .onConflictDoUpdate({
        target: [presets.accountId, presets.name],
        set: { description, fields, updatedAt },
      })
      .returning()
      .get(),
  )
}

/** Returns false if there was none. */
export async function deletePreset(
  d1: D1Database,
  accountId: string,
  name: string,
): Promise<boolean> {
  const deleted = await callStorage(() =>
    openDatabase(d1)
      .delete(presets)
      .where(named(accountId, name))
      .returning({ one: sql`1` })
      .all(),
  )
  return deleted.length > 0
}
