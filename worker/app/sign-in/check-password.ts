import type { Context } from 'hono'
import { signInLimits } from '../../contract/limits.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { forgive } from '../../service/limits/limit-attempts.ts'
import { verifyPassword } from '../../service/password-hash.ts'
import { findPersonByEmail } from '../../store/people/people.ts'
import type { PersonRow } from '../../store/tables/people-tables.ts'
import { limitAtAddress } from './limit-at-address.ts'

/**
 * The person with this address and password. An address without an account takes as long and counts as much as one with
 * a wrong password.
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
