import type { Context } from 'hono'
import { neighbourhoodOf } from '../../contract/addresses/client-address.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { clientAddress } from '../../http/guard/client-address.ts'

/** Where attempts come from: for IPv6 a whole /64. Where nothing tells addresses, all attempts come from one place. */
export function networkAddress(c: Context<AppEnv>): string {
  const address = clientAddress(c)
  return address === undefined ? 'local' : neighbourhoodOf(address)
}
