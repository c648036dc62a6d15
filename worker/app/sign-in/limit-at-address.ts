import type { Context } from 'hono'
import type { AddressLimits } from '../../contract/limits.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { limitAttempts, type Subject } from '../../service/limits/limit-attempts.ts'
import type { PersonRow } from '../../store/tables/people-tables.ts'
import { knownBrowser } from '../session/known-browser.ts'
import { networkAddress } from '../session/network-address.ts'

type Attempt = {
  what: string
  email: string
  /** Who has the address, if anybody. */
  person: PersonRow | undefined
  limits: AddressLimits
}

/**
 * Counts an attempt at something that concerns an e-mail address. A browser in which the owner of the address has signed
 * in before counts for itself alone: whatever strangers do, in whichever network, they cannot keep it out. Returns who
 * was counted.
 */
export async function limitAtAddress(
  c: Context<AppEnv>,
  { what, email, person, limits }: Attempt,
): Promise<readonly Subject[]> {
  const browser = await knownBrowser(c, person)
  const network = networkAddress(c)
  const subjects =
    browser === undefined
      ? [
          { what: `${what} in network`, whose: `${network}\n${email}`, limit: limits.perPlace },
          { what: `${what} from`, whose: network, limit: limits.perNetwork },
          { what, whose: email, limit: limits.perEmail, advice },
        ]
      : [{ what: `${what} in browser`, whose: browser, limit: limits.perPlace }]
  await limitAttempts(c.env, subjects, Date.now())
  return subjects
}

const advice =
  'Too many sign-in attempts for this address. If it is yours, use a browser where you have signed in before, or reset your password.'
