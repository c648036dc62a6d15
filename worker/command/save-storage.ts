import { AppError, invalidRequest, type FieldFault } from '../contract/answers/errors.ts'
import { storageAddressFaults } from '../contract/addresses/address-faults.ts'
import { parseInput } from '../contract/input/parse-input.ts'
import { storageLimits } from '../contract/limits.ts'
import { storageName } from '../contract/storages/storage-name.ts'
import {
  objectUrl,
  putStorage,
  withoutLastSlash,
  type PutStorage,
} from '../contract/storages/storage.ts'
import { addressPolicy } from '../service/limits/address-policy.ts'
import type { OpenStorage } from '../service/storages/ask-storage.ts'
import { sealSecret, openStorage } from '../service/storages/storage-secret.ts'
import { tryStorage } from '../service/storages/try-storage.ts'
import { readSettings, type Env, type Settings } from '../settings.ts'
import { storageRows } from '../store/named-rows.ts'
import type { StorageRow } from '../store/tables/account-tables.ts'

type StorageToSave = { accountId: string; name: unknown; body: unknown; now: number }

/** Tries the storage, and stores it if everything works; otherwise throws what is wrong, and nothing changes. */
export async function saveStorage(env: Env, wish: StorageToSave): Promise<StorageRow> {
  const settings = readSettings(env)
  const { accountId, now } = wish
  const { name, asked } = judge(wish, settings)
  const known = await storageRows.find(env.DB, accountId, name)
  const secretAccessKey = asked.secretAccessKey ?? (await keptSecret(settings, known, asked))
  const { endpoint, region, bucket, addressing, accessKeyId } = asked
  const row = {
    ...{ accountId, name, endpoint, region, bucket, addressing, accessKeyId },
    prefix: withoutLastSlash(asked.prefix),
    ...{ createdAt: now, updatedAt: now },
  }
  const storage: OpenStorage = { ...row, secretAccessKey }
  const fault = await tryStorage(settings, storage)
  if (fault) throw invalidRequest([fault])
  const sealedSecret = await sealSecret(settings.secret, row, secretAccessKey)
  const most = storageLimits.perAccount
  const saved = await storageRows.save(env.DB, { ...row, sealedSecret }, most)
  if (saved) return saved
  throw new AppError('Conflict', `The account has ${most} storages already; delete one first.`)
}

function judge(
  { name, body }: StorageToSave,
  settings: Settings,
): { name: string; asked: PutStorage } {
  const named = parseInput(storageName, name)
  const parsed = parseInput(putStorage, body)
  const faults: FieldFault[] = [
    ...(named.ok ? [] : named.faults.map(({ message }) => ({ field: 'storageName', message }))),
    ...(parsed.ok ? [] : parsed.faults),
    ...storageAddressFaults(body, addressPolicy(settings)),
  ]
  if (!named.ok || !parsed.ok || faults.length > 0) throw invalidRequest(faults)
  return { name: named.value, asked: parsed.value }
}

/**
 * The secret that was saved for the same key at the same host. It is not kept for another host, which would receive
 * requests signed with a secret that was never meant for it.
 */
async function keptSecret(
  settings: Settings,
  known: StorageRow | undefined,
  asked: PutStorage,
): Promise<string> {
  const hostOf = (place: Pick<PutStorage, 'endpoint' | 'bucket' | 'addressing'>) =>
    objectUrl(place).host
  if (!known) throw secretNeeded('Required: the secret of the access key')
  const isSame =
    known.endpoint === asked.endpoint &&
    hostOf(known) === hostOf(asked) &&
    known.accessKeyId === asked.accessKeyId
  if (!isSame) throw secretNeeded('Required: the endpoint or the access key is another one')
  const opened = await openStorage(settings, known)
  if (!opened) throw secretNeeded('Required: what is kept cannot be read any more')
  return opened.secretAccessKey
}

function secretNeeded(message: string): AppError {
  return invalidRequest([{ field: 'secretAccessKey', message }])
}
