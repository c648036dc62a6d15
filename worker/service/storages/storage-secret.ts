import { deriveKey, fromHex } from '../../contract/keyed-hash.ts'
import type { StorageRow } from '../../store/tables/account-tables.ts'
import { AppError } from '../../contract/answers/errors.ts'
import type { Settings } from '../../settings.ts'
import type { OpenStorage } from './ask-storage.ts'

const encoder = new TextEncoder()
const ivBytes = 12

/** What a sealed secret belongs to: in another row, or in a row with another endpoint, it does not open. */
type Belonging = Pick<StorageRow, 'accountId' | 'name' | 'endpoint' | 'accessKeyId'>

async function sealingKey(secret: string) {
  const bytes = fromHex(await deriveKey(secret, 'storage-secrets'))
  return crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt'])
}

function algorithm(
  { accountId, name, endpoint, accessKeyId }: Belonging,
  iv: Uint8Array<ArrayBuffer>,
) {
  const belonging = JSON.stringify([accountId, name, endpoint, accessKeyId])
  return { name: 'AES-GCM', iv, additionalData: encoder.encode(belonging) }
}

/** The secret of an access key as the database keeps it: a random IV, then the encrypted text with its tag. */
export async function sealSecret(
  serviceSecret: string,
  belonging: Belonging,
  secretAccessKey: string,
): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(ivBytes))
  const key = await sealingKey(serviceSecret)
  const text = encoder.encode(secretAccessKey)
  const sealed = new Uint8Array(await crypto.subtle.encrypt(algorithm(belonging, iv), key, text))
  return btoa(String.fromCharCode(...iv, ...sealed))
}

/** Undefined if it does not open: the secret of the service has changed, or the row was changed by hand. */
async function openSecret(
  serviceSecret: string,
  row: Belonging & Pick<StorageRow, 'sealedSecret'>,
): Promise<string | undefined> {
  try {
    const bytes = Uint8Array.from(atob(row.sealedSecret), (letter) => letter.charCodeAt(0))
    const key = await sealingKey(serviceSecret)
    const opened = await crypto.subtle.decrypt(
      algorithm(row, bytes.slice(0, ivBytes)),
      key,
      bytes.slice(ivBytes),
    )
    return new TextDecoder().decode(opened)
  } catch {
    // The errors of WebCrypto do not help anybody.
    return undefined
  }
}

/** Undefined if the secret of its key does not open any more; then its owner must save it again. */
export async function openStorage(
  { secret }: Pick<Settings, 'secret'>,
  { sealedSecret, ...row }: StorageRow,
): Promise<OpenStorage | undefined> {
  const secretAccessKey = await openSecret(secret, { ...row, sealedSecret })
  return secretAccessKey === undefined ? undefined : { ...row, secretAccessKey }
}

export function storageNotFound(): AppError {
  return new AppError('NotFound', 'Storage not found.')
}
