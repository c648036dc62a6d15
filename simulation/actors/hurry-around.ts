import type { World } from '../engine/world.ts'
import type { Account } from './account.ts'
import type { Exchange } from './exchange.ts'

type Hurrying = { world: World; exchange: Exchange; accounts: readonly Account[] }

/** More than the account may ask in a minute. */
const requests = 20
const takesMs = 1_500
/** As long as the window in which its requests are counted, by any clock. */
const windowMs = 60_000
const path = '/v1/videos'

/**
 * An account that may not ask often asks too often just before the clocks step, just afterwards, and once more when the window
 * is over. The checks of gates watch whether each request is counted in the window in which it comes.
 */
export async function hurryAround(
  { world, exchange, accounts }: Hurrying,
  inMs: number,
): Promise<void> {
  const [, capped] = accounts
  if (!capped) return
  const { key } = capped
  const who = `${capped.name} in a hurry`
  const hurry = async (): Promise<void> => {
    for (let i = 0; i < requests; i++) {
      void exchange.ask({ who, method: 'GET', path, key })
      await world.loop.pause(takesMs / requests)
    }
  }
  await hurry()
  await world.loop.pause(inMs)
  await hurry()
  await world.loop.pause(windowMs)
  await hurry()
}
