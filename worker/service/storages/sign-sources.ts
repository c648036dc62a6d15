import { objectsNamed } from '../../contract/storages/named-storages.ts'
import { readStorageAddress } from '../../contract/storages/storage-address.ts'
import type { StoredJobError, VideoRow } from '../../store/tables/tables.ts'
import type { Env, Settings } from '../../settings.ts'
import { longestAddressMs } from '../../store/objects/address-signer.ts'
import { storageRows } from '../../store/named-rows.ts'
import { addressOf, clientOf, type OpenStorage } from './ask-storage.ts'
import { openStorage } from './storage-secret.ts'

/** The signed address for each `storage://` address. They stand only in a job. */
export type SignedSources = ReadonlyMap<string, string>

type Signed =
  | { outcome: 'signed'; sources: SignedSources }
  | { outcome: 'gone'; error: StoredJobError }

/**
 * Signs an address for each object that the request takes from a storage: for that object, for reading, and for as long as
 * a job may take. A request that names none asks the database nothing.
 */
export async function signSources(
  env: Env,
  settings: Settings,
  { accountId, request }: Pick<VideoRow, 'accountId' | 'request'>,
): Promise<Signed> {
  const named = objectsNamed(request)
  const sources = new Map<string, string>()
  if (named.length === 0) return { outcome: 'signed', sources }
  const rows = await storageRows.list(env.DB, accountId)
  for (const { field, storage, key } of named) {
    const row = rows.find(({ name }) => name === storage)
    const open = row && (await openStorage(settings, row))
    if (!open) return { outcome: 'gone', error: gone(field, storage, row !== undefined) }
    const id = addressId(storage, key)
    if (!sources.has(id)) sources.set(id, await sign(open, key, settings))
  }
  return { outcome: 'signed', sources }
}

/** The address to fetch in place of this one; undefined if it does not name a storage. */
export function signedSource(sources: SignedSources, url: string): string | undefined {
  const address = readStorageAddress(url)
  return address && sources.get(addressId(address.storage, address.key))
}

/** Two spellings of one object are fetched once. */
function addressId(storage: string, key: string): string {
  return `${storage}/${key}`
}

async function sign(
  storage: OpenStorage,
  key: string,
  { maxJobMs }: Pick<Settings, 'maxJobMs'>,
): Promise<string> {
  const url = addressOf(storage, key)
  const seconds = Math.min(longestAddressMs / 1000, Math.ceil(maxJobMs / 1000) + 3600)
  url.searchParams.set('X-Amz-Expires', String(seconds))
  const signed = await clientOf(storage).sign(url.href, { method: 'GET', aws: { signQuery: true } })
  return signed.url
}

function gone(field: string, storage: string, isKept: boolean): StoredJobError {
  const what = isKept
    ? `the secret of the storage ${storage} cannot be read any more; save the storage again.`
    : `the storage ${storage} was deleted.`
  return { error: 'ProcessingError', reason: 'source_unreachable', message: `${field}: ${what}` }
}
