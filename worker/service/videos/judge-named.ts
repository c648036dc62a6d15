import type { FieldFault } from '../../contract/answers/errors.ts'
import type { Naming } from '../../contract/storages/named-storages.ts'
import type { Env } from '../../settings.ts'
import { storageJudge } from '../storages/storage-faults.ts'
import { uploadJudge } from '../uploads/named-uploads.ts'

/** Finds the storages and uploads that requests of one account name and cannot use. Each kind is read once for all of them. */
export async function namedJudge(
  env: Env,
  accountId: string,
  requests: readonly Naming[],
): Promise<(request: Naming) => FieldFault[]> {
  const inStorages = await storageJudge(env, accountId, requests)
  const inUploads = await uploadJudge(env, accountId, requests)
  return (request) => [...inStorages(request), ...inUploads(request)]
}

/** The same for one request. */
export async function namedFaults(
  env: Env,
  accountId: string,
  request: Naming,
): Promise<FieldFault[]> {
  return (await namedJudge(env, accountId, [request]))(request)
}
