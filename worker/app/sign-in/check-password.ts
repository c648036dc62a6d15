import type { Context } from 'hono'
import { signInLimits } from '../../contract/limits.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { forgive, limitAttempts, type Subject } from '../../service/limit-attempts.ts'
import { verifyPassword } from '../../service/password-hash.ts'
import { findPersonByEmail } from '../../store/people.ts'
import type { PersonRow } from '../../store/people-tables.ts'
import { networkAddress } from '../session/network-address.ts'

/**
 * The person with this address and password. An address without an account takes as long and counts as much as one with
 * a wrong password.
 */
export async function checkPassword(
  c: Context<AppEnv>,
  email: string,
  password: string,
): Promise<PersonRow | undefined> {
  const subjects: Subject[] = [
    { what: 'password', whose: email, limit: signInLimits.perEmail },
    { what: 'password from', whose: networkAddress(c), limit: signInLimits.perAddress },
  ]
  await limitAttempts(c.env, subjects, Date.now())
  const person = await findPersonByEmail(c.env.DB, email)
  if (!(await verifyPassword(password, person?.passwordHash ?? null))) return undefined
  await forgive(c.env, subjects)
  return person
}
