import type { Context } from 'hono'
import { signInLimits, type AddressLimits } from '../../contract/limits.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { forgive, limitAttempts, type Subject } from '../../service/limits/limit-attempts.ts'
import { verifyPassword } from '../../service/password-hash.ts'
import { findPersonByEmail } from '../../store/people/people.ts'
import type { PersonRow } from '../../store/tables/people-tables.ts'
import { knownBrowser } from '../session/known-browser.ts'
import { networkAddress } from '../session/network-address.ts'

/**
 * The person with this address and password. An address without an account takes as long and counts as much as a wrong
 * password.
 */
export async function checkPassword(
  c: Context<AppEnv>,
  email: string,
  password: string,
): Promise<PersonRow | undefined> {
  const person = await findPersonByEmail(c.env.DB, email)
  const limits = signInLimits.passwords
  const counted = await limitAtAddress(c, { what: 'password', email, person, limits })
  if (!(await verifyPassword(password, person?.passwordHash ?? null))) return undefined
  await forgive(c.env, counted)
  return person
}

type SignInTry = {
  what: string
  email: string
  /** The person with the address, if there is one. */
  person: PersonRow | undefined
  limits: AddressLimits
}

/**
 * Counts an attempt that concerns an e-mail address. A browser in which the owner of the address has signed in before is
 * counted by itself: whatever strangers do, from any network, they cannot lock it out. Returns the name that was counted.
 */
export async function limitAtAddress(
  c: Context<AppEnv>,
  { what, email, person, limits }: SignInTry,
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
