import type { Context } from 'hono'
import type { AppEnv } from '../../http/app-env.ts'
import { readSettings, type Settings } from '../../settings.ts'
import { isOwnHost } from '../session/guard-origin.ts'

const marksOfProxies = ['X-Forwarded-For', 'X-Forwarded-Host', 'X-Real-IP', 'Forwarded', 'Via']

/**
 * Who may make an account with this request. `unannounced`: the service believes that only its owner can reach it, but the
 * request came through a proxy. Such a service is open to anyone on its own machine, and must not be open to the world without
 * its owner's knowledge.
 */
export function signUpMode(c: Context<AppEnv>): Settings['signUp'] | 'unannounced' {
  const settings = readSettings(c.env)
  const { signUp, isForOwnerAlone } = settings
  if (signUp !== 'open' || !isForOwnerAlone) return signUp
  const isFromHere = isOwnHost(new URL(c.req.url), settings)
  const isDirect = marksOfProxies.every((name) => c.req.header(name) === undefined)
  return isFromHere && isDirect ? 'open' : 'unannounced'
}
