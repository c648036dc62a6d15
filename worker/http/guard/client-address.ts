import type { Context } from 'hono'
import { clientAddressOf } from '../../contract/addresses/client-address.ts'
import { readSettings } from '../../settings.ts'
import type { AppEnv } from '../app-env.ts'

/**
 * The address of the client that sent the request; undefined if nothing here knows it. The edge overwrites a
 * CF-Connecting-IP that a client sends; on a server of one's own nobody does, so it counts for nothing there.
 */
export function clientAddress(c: Context<AppEnv>): string | undefined {
  const { clientAddress: from, trustedProxies } = readSettings(c.env)
  if (from === 'unknown') return undefined
  if (from === 'edge') return c.req.header('CF-Connecting-IP') ?? 'unknown'
  const peer = peerOf(c.req.raw)
  return peer && clientAddressOf(peer, c.req.header('X-Forwarded-For'), trustedProxies)
}

/** Without an edge in front, the runtime passes on the other end of the connection: scripts/host/runtime.ts. */
function peerOf(request: Request): string | undefined {
  const peer = request.cf?.['clientIp']
  return typeof peer === 'string' ? peer : undefined
}
