import type { Context } from 'hono'
import { AppError } from '../contract/errors.ts'
import type { AppEnv } from './app-env.ts'

const periodMs = 60_000
const rememberedAddresses = 5000

/** Addresses that have guessed too often lately, so that their next guess costs nothing. */
const blockedUntil = new Map<string, number>()

function addressOf(c: Context<AppEnv>): string {
  return c.req.header('CF-Connecting-IP') ?? 'unknown'
}

function tooManyGuesses(until: number, now: number): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil((until - now) / 1000))
  const message = `Too many requests with keys that are not valid; try again in ${retryAfterSeconds} s.`
  return new AppError('RateLimitExceeded', message, { retryAfterSeconds })
}

/** Refuses an address that is known to guess, before its key costs anything. */
export function refuseGuesser(c: Context<AppEnv>): void {
  const until = blockedUntil.get(addressOf(c))
  const now = Date.now()
  if (until !== undefined && until > now) throw tooManyGuesses(until, now)
}

/** Counts a refused key against the address it came from; no key is charged for it. */
export async function countGuess(c: Context<AppEnv>): Promise<void> {
  const address = addressOf(c)
  const { success } = await c.env.GUESSES.limit({ key: address })
  if (success) return
  if (blockedUntil.size >= rememberedAddresses) blockedUntil.clear()
  const now = Date.now()
  blockedUntil.set(address, now + periodMs)
  throw tooManyGuesses(now + periodMs, now)
}
