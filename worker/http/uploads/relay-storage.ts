import type { Context } from 'hono'
import { AppError } from '../../contract/answers/errors.ts'
import { readRelay } from '../../service/jobs/reach.ts'
import { readSettings } from '../../settings.ts'
import type { AppEnv } from '../app-env.ts'

const sentHeaders = ['Content-Length', 'Range', 'If-Range', 'If-Match']
const keptHeaders = ['Content-Length', 'Content-Type', 'Content-Range', 'Accept-Ranges', 'ETag']

function pick(from: Headers, names: readonly string[]): Headers {
  const picked = names.flatMap((name): [string, string][] => {
    const value = from.get(name)
    return value === null ? [] : [[name, value]]
  })
  return new Headers(picked)
}

/**
 * GET and PUT /internal/storage/{token}: passes bytes between a media worker on another machine and the bucket, which
 * only this machine reaches. The bucket itself checks the signature, the method and the time of the address.
 */
export async function relayStorage(c: Context<AppEnv>): Promise<Response> {
  const address = await readRelay(readSettings(c.env), c.req.param('token') ?? '')
  if (address === undefined) throw new AppError('Forbidden', 'This address is not valid.')
  const { method, headers, body } = c.req.raw
  const answer = await fetch(address, {
    method,
    headers: pick(headers, sentHeaders),
    ...(method === 'PUT' && body ? { body } : {}),
    redirect: 'manual',
  })
  return new Response(answer.body, {
    status: answer.status,
    headers: pick(answer.headers, keptHeaders),
  })
}
