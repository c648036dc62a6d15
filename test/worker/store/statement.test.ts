import { and, eq } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { among, openDatabase } from '../../../worker/store/database.ts'
import {
  change,
  findAll,
  findOne,
  part,
  plus,
  together,
  type Given,
} from '../../../worker/store/statement.ts'
import { accounts, apiKeys } from '../../../worker/store/tables/tables.ts'
import { bindings } from '../../support/worker/bindings.ts'
import { anAccount } from '../../support/worker/accounts.ts'

type Key = typeof apiKeys.$inferSelect

const insertKey = change((db, key: Given<Key>) => db.insert(apiKeys).values(key))

const rest = {
  hash: '',
  hint: '',
  createdAt: 1,
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
}

async function storeKeys(...keys: Pick<Key, 'id' | 'name' | 'scopes'>[]): Promise<void> {
  const accountId = await anAccount()
  for (const key of keys) await insertKey(bindings.DB, { ...rest, ...key, hash: key.id, accountId })
}

describe('a statement', () => {
  it('is built once, and binds what each call gives it in the form of its column', async () => {
    const select = vi.fn(({ id, name, scopes }: typeof apiKeys) => ({ id, name, scopes }))
    const listKeys = findAll((db, ids: Given<readonly string[]>) =>
      db.select(select(apiKeys)).from(apiKeys).where(among(apiKeys.id, ids)).orderBy(apiKeys.id),
    )
    const keys = [
      { id: 'k1', name: "O'Brien", scopes: ['*'] },
      { id: 'k2', name: null, scopes: [] },
    ]
    await storeKeys(...keys)
    expect(await listKeys(bindings.DB, ['k2'])).toEqual([keys[1]])
    expect(await listKeys(bindings.DB, ['k2', 'k1'])).toEqual(keys)
    expect(await listKeys(bindings.DB, [])).toEqual([])
    expect(select).toHaveBeenCalledOnce()
  })

  it('leaves out of a row what it is not given', async () => {
    const insertAccount = part((db, account: Given<typeof accounts.$inferInsert>) =>
      db.insert(accounts).values(account),
    )
    const account = { id: 'a_1', name: "O'Brien", webhookSecret: 's', createdAt: 1 }
    await bindings.DB.batch([
      insertAccount(bindings.DB, account),
      insertAccount(bindings.DB, { ...account, id: 'a_2', weight: 3 }),
    ])
    const mine = among(accounts.id, ['a_1', 'a_2'])
    const rows = await openDatabase(bindings.DB).select().from(accounts).where(mine)
    expect(rows.toSorted((a, b) => a.id.localeCompare(b.id))).toMatchObject([
      { ...account, weight: 1, operates: false },
      { id: 'a_2', weight: 3 },
    ])
  })

  it('computes with numbers that it does not know when it is built', async () => {
    await storeKeys({ id: 'm1', name: null, scopes: [] })
    const expire = findOne(
      (db, id: Given<string>, { at }: Given<{ at: number }>) =>
        db
          .update(apiKeys)
          .set({ expiresAt: plus(at, 5) })
          .where(eq(apiKeys.id, id))
          .returning({ expiresAt: apiKeys.expiresAt }),
      ({ expiresAt }) => expiresAt,
    )
    expect(await expire(bindings.DB, 'm1', { at: 10 })).toBe(15)
    expect(await expire(bindings.DB, 'm1', { at: 20 })).toBe(25)
    expect(await expire(bindings.DB, 'm0', { at: 30 })).toBeUndefined()
  })

  it('is built again for values that make it another one', async () => {
    await storeKeys({ id: 'p1', name: 'one', scopes: [] }, { id: 'p2', name: 'two', scopes: [] })
    type Wanted = { ids: readonly string[]; name?: string | undefined }
    const listIds = findAll(
      (db, { ids, name }: Given<Wanted>) =>
        db
          .select({ id: apiKeys.id })
          .from(apiKeys)
          .where(and(among(apiKeys.id, ids), name && eq(apiKeys.name, name))),
      ({ id }) => id,
    )
    const ids = ['p1', 'p2']
    expect(await listIds(bindings.DB, { ids, name: 'two' })).toEqual(['p2'])
    expect(await listIds(bindings.DB, { ids, name: undefined })).toEqual(ids)
    expect(await listIds(bindings.DB, { ids, name: 'one' })).toEqual(['p1'])
    expect(await listIds(bindings.DB, { ids })).toEqual(ids)
  })

  it('fails with an error whose cause has its text, and none of its values', async () => {
    const key = { id: 'n1', name: 'a secret', scopes: [] }
    await storeKeys(key)
    const failure = await storeKeys(key).catch((error: unknown) => error)
    expect(failure).toMatchObject({
      code: 'StorageError',
      cause: { message: expect.stringMatching(/^Failed: insert into "api_keys"/) as unknown },
    })
    expect((failure as Error & { cause: Error }).cause.message).not.toContain(key.name)
  })

  it('changes nothing if one of those that are together with it fails', async () => {
    await storeKeys({ id: 'o1', name: 'before', scopes: [] })
    const rename = together((db, id: Given<string>, key: Given<Key>) => [
      db.update(apiKeys).set({ name: key.name }).where(eq(apiKeys.id, id)),
      db.insert(apiKeys).values(key),
    ])
    const taken = {
      ...rest,
      id: 'o1',
      hash: 'o1',
      name: 'after',
      scopes: [],
      accountId: await anAccount(),
    }
    await expect(rename(bindings.DB, 'o1', taken)).rejects.toThrow()
    const nameOf = findOne((db, id: Given<string>) =>
      db.select({ name: apiKeys.name }).from(apiKeys).where(eq(apiKeys.id, id)),
    )
    expect(await nameOf(bindings.DB, 'o1')).toEqual({ name: 'before' })
  })
})
