import type { Context } from 'hono'
import { storageName } from '../contract/storages/storage-name.ts'
import type { StoragePage, StorageRecord } from '../contract/storages/storage.ts'
import { saveStorage } from '../command/save-storage.ts'
import { storageNotFound } from '../service/storages/storage-secret.ts'
import { timestamp } from '../service/videos/describe-video.ts'
import type { StorageRow } from '../store/tables/account-tables.ts'
import { storageRows } from '../store/named-rows.ts'
import type { AppEnv } from './app-env.ts'
import { readJson } from './read-body.ts'

/** GET /v1/storages */
export async function listStorages(c: Context<AppEnv>): Promise<Response> {
  const found = await storageRows.list(c.env.DB, c.get('caller').accountId)
  return c.json({ data: found.map(describeStorage), nextCursor: null } satisfies StoragePage)
}

/** GET /v1/storages/{storageName} */
export async function getStorage(c: Context<AppEnv>): Promise<Response> {
  const name = nameIn(c)
  const found = name && (await storageRows.find(c.env.DB, c.get('caller').accountId, name))
  if (!found) throw storageNotFound()
  return c.json(describeStorage(found))
}

/** PUT /v1/storages/{storageName} */
export async function putStorage(c: Context<AppEnv>): Promise<Response> {
  const body = await readJson(c.req.raw)
  const now = Date.now()
  const { accountId } = c.get('caller')
  const name = c.req.param('storageName')
  const saved = await saveStorage(c.env, { accountId, name, body, now })
  return c.json(describeStorage(saved), saved.createdAt === now ? 201 : 200)
}

/** DELETE /v1/storages/{storageName} */
export async function deleteStorage(c: Context<AppEnv>): Promise<Response> {
  const name = nameIn(c)
  if (!name || !(await storageRows.delete(c.env.DB, c.get('caller').accountId, name))) {
    throw storageNotFound()
  }
  return c.body(null, 204)
}

function nameIn(c: Context<AppEnv>): string | undefined {
  return storageName.safeParse(c.req.param('storageName')).data
}

export function describeStorage(row: StorageRow): StorageRecord {
  const { name, endpoint, region, bucket, prefix, addressing, accessKeyId } = row
  return {
    ...{ name, endpoint, region, bucket, prefix, addressing, accessKeyId },
    createdAt: timestamp(row.createdAt),
    lastUpdatedAt: timestamp(row.updatedAt),
  }
}
