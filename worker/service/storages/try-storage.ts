import { storageLimits } from '../../contract/limits.ts'
import { randomBase62 } from '../../contract/ids.ts'
import type { Settings } from '../../settings.ts'
import {
  askStorage,
  hidesFailures,
  privateReason,
  type OpenStorage,
  type StorageAnswer,
} from './ask-storage.ts'
import { errorCode } from './storage-answer.ts'

/** `field`: the field of the storage that is most likely wrong. */
type StorageFault = { field: string; message: string }

const steps = {
  put: 'an object could not be written (PUT)',
  head: 'the object that was written could not be found (HEAD)',
  get: 'the object that was written could not be read (GET)',
  delete: 'the object that was written could not be deleted (DELETE)',
} as const
type TrialStep = keyof typeof steps

/** Writes, finds, reads and deletes one small object. Returns the first failure; for a private host, only that something failed. */
export async function tryStorage(
  settings: Settings,
  storage: OpenStorage,
): Promise<StorageFault | undefined> {
  const fault = await findFault(settings, storage)
  if (!fault || !hidesFailures(settings, storage)) return fault
  return { field: 'endpoint', message: `The storage was tried, and ${privateReason}` }
}

async function findFault(
  settings: Settings,
  storage: OpenStorage,
): Promise<StorageFault | undefined> {
  const mark = randomBase62(16)
  const text = `Spool has tried this storage: ${mark}`
  const body = Uint8Array.from(new TextEncoder().encode(text))
  const ask = async (method: 'PUT' | 'HEAD' | 'GET' | 'DELETE') => {
    const { trialMs: timeoutMs } = storageLimits
    const key = `.spool-trial-${mark}`
    return askStorage(settings, storage, {
      method,
      key,
      timeoutMs,
      ...(method === 'PUT' && { body }),
    })
  }
  const put = await ask('PUT')
  if (!put.ok) return faultOf('put', put)
  const head = await ask('HEAD')
  const get = head.ok ? await ask('GET') : undefined
  // The object was written, even if it could not be found or read.
  const deleted = await ask('DELETE')
  if (!head.ok) return faultOf('head', head)
  if (head.headers.get('Content-Length') !== String(body.length)) {
    return faultOf('head', wrong('the storage tells another size than that of what was written'))
  }
  if (get && !get.ok) return faultOf('get', get)
  if (get?.body !== text) {
    return faultOf('get', wrong('the storage answered something else than what was written'))
  }
  return deleted.ok ? undefined : faultOf('delete', deleted)
}

function wrong(reason: string) {
  return { ok: false, status: 200, reason, body: '' } as const
}

function faultOf(step: TrialStep, answer: Extract<StorageAnswer, { ok: false }>): StorageFault {
  const message = `The storage was tried, and ${steps[step]}: ${answer.reason}`
  return { field: fieldOf(answer), message }
}

const fields: Readonly<Record<string, string>> = {
  NoSuchBucket: 'bucket',
  InvalidBucketName: 'bucket',
  InvalidAccessKeyId: 'accessKeyId',
  SignatureDoesNotMatch: 'secretAccessKey',
  AuthorizationHeaderMalformed: 'region',
  PermanentRedirect: 'region',
}

function fieldOf({ status, body }: { status: number | null; body: string }): string {
  const code = errorCode(body)
  if (code !== undefined && Object.hasOwn(fields, code)) return fields[code] ?? 'endpoint'
  return status === 403 ? 'accessKeyId' : 'endpoint'
}
