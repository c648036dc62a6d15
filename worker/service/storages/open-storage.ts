import { AppError } from '../../contract/answers/errors.ts'
import type { Settings } from '../../settings.ts'
import type { StorageRow } from '../../store/tables/account-tables.ts'
import type { OpenStorage } from './ask-storage.ts'
import { openSecret } from './seal-secret.ts'

/** Undefined if the secret of its key does not open any more; its owner must save it again. */
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
