import type { Context } from 'hono'
import { neighbourhoodOf } from '../../contract/addresses/client-address.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { clientAddress } from '../../http/guard/client-address.ts'

/**
 * The address that attempts are counted by: for IPv6 the whole /64. Where addresses are unknown, all attempts count as from one
 * place.
 */
export function networkAddress(c: Context<AppEnv>): string {
  const address = clientAddress(c)
  return address === undefined ? 'local' : neighbourhoodOf(address)
}
