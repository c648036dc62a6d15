import type { Context } from 'hono'
import { neighbourhoodOf } from '../../contract/neighbourhood.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { readSettings } from '../../settings.ts'

/**
 * Where attempts come from: for IPv6 a whole /64. The edge overwrites a CF-Connecting-IP that a client sends. Locally
 * nothing does, so it is not believed, and all attempts come from one place.
 */
export function networkAddress(c: Context<AppEnv>): string {
  if (readSettings(c.env).environment === 'local') return 'local'
  return neighbourhoodOf(c.req.header('CF-Connecting-IP') ?? 'unknown')
}
