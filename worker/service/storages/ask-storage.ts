import { AwsClient } from 'aws4fetch'
import { storageAddressFaults } from '../../contract/addresses/address-faults.ts'
import { isAllowedHost, portOf } from '../../contract/addresses/public-url.ts'
import { hex } from '../../contract/keyed-hash.ts'
import { storageLimits } from '../../contract/limits.ts'
import { keyUnder } from '../../contract/storages/object-key.ts'
import { objectUrl } from '../../contract/storages/storage.ts'
import type { Settings } from '../../settings.ts'
import type { StorageRow } from '../../store/tables/account-tables.ts'
import { addressPolicy } from '../limits/address-policy.ts'
import { describeError, log } from '../log.ts'
import { readBeginning } from '../read-beginning.ts'
import { sayAnswer } from './storage-answer.ts'

/** A storage with the secret that opens it. It lives as long as a request or an alarm, and is stored nowhere. */
export type OpenStorage = Omit<StorageRow, 'sealedSecret'> & { secretAccessKey: string }

type StorageQuestion = {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  key: string
  query?: Readonly<Record<string, string>>
  body?: Uint8Array<ArrayBuffer>
  headers?: Readonly<Record<string, string>>
  timeoutMs?: number
}

/** The answer of a storage. `reason`: why the request failed, in words that may be shown to the owner of the storage. */
export type StorageAnswer =
  | { ok: true; status: number; headers: Headers; body: string }
  | { ok: false; status: number | null; reason: string; body: string }

/**
 * Sends one signed request for one object. The signature covers the bytes that are sent, so a storage takes no others. No
 * redirect is followed: it could lead to a host that must not be asked.
 */
export async function askStorage(
  settings: Settings,
  storage: OpenStorage,
  asked: StorageQuestion,
): Promise<StorageAnswer> {
  const [fault] = storageAddressFaults(storage, addressPolicy(settings))
  if (fault) return failed(null, `the endpoint is not allowed: ${fault.message}`)
  const answer = await send(storage, asked)
  if (answer.ok || !hidesFailures(settings, storage)) return answer
  const fields = { storage: storage.name, status: answer.status, reason: answer.reason }
  log('warn', 'a storage on a private host did not answer as it should', fields)
  return { ...answer, reason: privateReason }
}

/** Said of a host that only the allow-list permits, so that the owner of a storage does not learn what listens there. */
export const privateReason =
  'it did not answer as it should. The endpoint is a private host, so no details are given here; the log of the service has them'

/** Whether the storage is on such a host, and people other than the service's owner could learn about it. */
export function hidesFailures(settings: Settings, storage: OpenStorage): boolean {
  const url = objectUrl(storage)
  const isPrivate = isAllowedHost(settings.allowedHosts, url.hostname, portOf(url))
  return isPrivate && !settings.isForOwnerAlone
}

async function send(storage: OpenStorage, asked: StorageQuestion): Promise<StorageAnswer> {
  const { timeoutMs = storageLimits.requestMs } = asked
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const answer = await fetch(await signed(storage, asked, signal))
    const body = asked.method === 'HEAD' ? '' : await textOf(answer, signal)
    const { status, headers } = answer
    if (answer.ok) return { ok: true, status, headers, body }
    return failed(status, sayAnswer(status, body), body)
  } catch (cause) {
    log('info', 'no answer from a storage', { storage: storage.name, ...describeError(cause) })
    // The exact error may name internal addresses.
    const reason = signal.aborted
      ? `no answer came within ${timeoutMs / 1000} seconds`
      : 'the connection failed, or was closed before an answer'
    return failed(null, reason)
  }
}

function failed(status: number | null, reason: string, body = ''): StorageAnswer {
  return { ok: false, status, reason, body }
}

export function clientOf({ accessKeyId, secretAccessKey, region }: OpenStorage): AwsClient {
  return new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' })
}

export function addressOf(
  storage: OpenStorage,
  key: string,
  query: StorageQuestion['query'] = {},
): URL {
  const url = objectUrl(storage, keyUnder(storage.prefix, key))
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url
}

async function signed(
  storage: OpenStorage,
  { method, key, query, body, headers }: StorageQuestion,
  signal: AbortSignal,
): Promise<Request> {
  const digest = await crypto.subtle.digest('SHA-256', body ?? new Uint8Array(0))
  const request = await clientOf(storage).sign(addressOf(storage, key, query).href, {
    method,
    ...(body && { body }),
    headers: { ...headers, 'X-Amz-Content-Sha256': hex(new Uint8Array(digest)) },
    redirect: 'manual',
    signal,
  })
  // Not signed, because a proxy on the way may change it; without it, sizes could be those of a compressed answer.
  request.headers.set('Accept-Encoding', 'identity')
  request.headers.set('User-Agent', 'Spool-Storages/1')
  return request
}

/** The beginning of an answer: those expected here are short, so the rest of a longer one is not read. */
async function textOf({ body }: Response, signal: AbortSignal): Promise<string> {
  const limits = { keptBytes: storageLimits.answerBytes }
  const { text, fault } = await readBeginning(body, signal, limits)
  signal.throwIfAborted()
  if (fault) throw new Error('the answer broke off', { cause: fault })
  return text
}
