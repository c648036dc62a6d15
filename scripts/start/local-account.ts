import { z } from 'zod'
import { scopes } from '../../worker/contract/people/api-key.ts'
import { callAdmin, type AdminTarget } from '../admin/call-admin.ts'
import { readJson, writeJson } from '../machine/write-file.ts'
import { readSecret } from './follow-secret.ts'

const localAccount = z.object({
  accountId: z.string(),
  webhookSecret: z.string(),
  keyId: z.string(),
  apiKey: z.string(),
})
export type LocalAccount = z.infer<typeof localAccount>

/** Makes the account and key of a developer once, and again if the stored ones are no longer valid. */
export async function ensureLocalAccount(target: AdminTarget, file: string): Promise<LocalAccount> {
  const kept = localAccount.safeParse(readJson(file)).data
  if (kept && (await isKeyGood(target, kept))) {
    // The secret may have been rotated since.
    return { ...kept, webhookSecret: await readSecret(target, kept.accountId) }
  }
  const { accountId } =
    (await accountOf(target, kept)) ??
    (await callAdmin(target, { command: 'accounts.create', name: 'Local development' }))
  const webhookSecret = await readSecret(target, accountId)
  const { keyId, apiKey } = await callAdmin(target, {
    command: 'keys.create',
    accountId,
    name: 'npm start',
    scopes: [...scopes],
  })
  const fresh = { accountId, webhookSecret, keyId, apiKey }
  writeJson(file, fresh, 0o600)
  return fresh
}

/** Uses the operator's list, so that no request counts against the key. */
async function isKeyGood(target: AdminTarget, kept: LocalAccount): Promise<boolean> {
  const { keys } = await callAdmin(target, { command: 'keys.list' })
  const key = keys.find(({ keyId }) => keyId === kept.keyId)
  if (!key || key.revokedAt !== null) return false
  return key.expiresAt === null || Date.parse(key.expiresAt) > Date.now()
}

async function accountOf(
  target: AdminTarget,
  kept: LocalAccount | undefined,
): Promise<LocalAccount | undefined> {
  if (!kept) return undefined
  const { accounts } = await callAdmin(target, { command: 'accounts.list' })
  return accounts.some(({ accountId }) => accountId === kept.accountId) ? kept : undefined
}
