import type { Context } from 'hono'
import { invalidRequest } from '../../contract/answers/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { IdempotencyScope } from '../../store/idempotency.ts'
import type { AppEnv } from '../app-env.ts'

const header = 'Idempotency-Key'

/** The key with its owner and endpoint: the same text from another API key or person, or for another endpoint, is another key. */
export function readIdempotencyScope(
  c: Context<AppEnv>,
  endpoint: string,
): IdempotencyScope | undefined {
  const idempotencyKey = c.req.header(header)
  if (idempotencyKey === undefined) return undefined
  if (!/^[\x21-\x7e]+$/.test(idempotencyKey)) {
    const message = 'Must be 1 or more visible ASCII characters, without spaces'
    throw invalidRequest([{ field: header, message }])
  }
  if (idempotencyKey.length > limits.idempotencyKeyLength) {
    const message = `Must be at most ${limits.idempotencyKeyLength} characters`
    throw invalidRequest([{ field: header, message }])
  }
  const caller = c.get('caller')
  const owner = 'keyId' in caller ? caller.keyId : caller.personId
  return { keyId: owner, endpoint, idempotencyKey }
}
