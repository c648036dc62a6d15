import type { Context } from 'hono'
import { isLoopbackAddress, neighbourhoodOf } from '../../contract/addresses/client-address.ts'
import { AppError } from '../../contract/answers/errors.ts'
import { isolateMemory } from '../../contract/isolate-memory.ts'
import type { AppEnv } from '../app-env.ts'
import { clientAddress } from './client-address.ts'

const periodMs = 60_000
const rememberedAddresses = 5000

/** Addresses that have guessed too often lately; their next guesses are refused without being counted. */
const blockedUntil = isolateMemory(() => new Map<string, number>())

/**
 * The address that the guesses of this request count against: for IPv6 the whole /64, within which a customer can
 * change addresses at will. Programs on the machine of the service itself are not counted: they all have one address.
 */
function addressOf(c: Context<AppEnv>): string | undefined {
  const address = clientAddress(c)
  return address === undefined || isLoopbackAddress(address) ? undefined : neighbourhoodOf(address)
}

function tooManyGuesses(until: number, now: number): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil((until - now) / 1000))
  const message = `Too many requests with keys that are not valid; try again in ${retryAfterSeconds} s.`
  return new AppError('RateLimitExceeded', message, { retryAfterSeconds })
}

/** Counts a refused key against the client's address; requests with a valid key are not affected. */
export async function countGuess(c: Context<AppEnv>): Promise<void> {
  const address = addressOf(c)
  if (address === undefined) return
  const now = Date.now()
  const until = blockedUntil.current.get(address)
  if (until !== undefined && until > now) throw tooManyGuesses(until, now)
  const { success } = await c.env.GUESSES.limit({ key: address })
  if (success) return
  const { current } = blockedUntil
  if (current.size >= rememberedAddresses) current.clear()
  current.set(address, now + periodMs)
  throw tooManyGuesses(now + periodMs, now)
}
