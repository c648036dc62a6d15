import type { Account } from '../actors/account.ts'
import type { Operator } from '../actors/operator.ts'
import type { Database } from '../platform/database.ts'

const mailOf = (who: string) => `${who}@ben.example.com`
export const owner = mailOf('owner')
/** A member who may not pay, and a former owner. */
export const others = [mailOf('member'), mailOf('former')] as const

/** Gives an account its people before anything goes wrong: as if each had given an address, and one had been removed since. */
export async function nameOwners(
  { accountId }: Account,
  { database, operator }: { database: Database; operator: Operator },
): Promise<void> {
  await operator.command({ command: 'people.link', accountId })
  database.read(
    'UPDATE people SET email = ? WHERE id = (SELECT person_id FROM members WHERE account_id = ?)',
    owner,
    accountId,
  )
  for (const [i, email] of others.entries()) {
    const values = [`p_besides${i}`, accountId, email]
    const columns = '(id, account_id, email, created_at)'
    database.read(`INSERT INTO people ${columns} VALUES (?1, ?2, ?3, 0)`, ...values)
  }
  const member = "(account_id, person_id, role, created_at) VALUES (?, 'p_besides0', 'member', 0)"
  database.read(`INSERT INTO members ${member}`, accountId)
}
