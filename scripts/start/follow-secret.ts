import { callAdmin, type AdminTarget } from '../admin/call-admin.ts'

const everyMs = 60_000

/** The secret that signs the account's webhooks now. */
export async function readSecret(target: AdminTarget, accountId: string): Promise<string> {
  return (await callAdmin(target, { command: 'webhooks.show-secret', accountId })).secret
}

/** Reports the secret once a minute. The previous one stays valid for a day, so nobody misses anything in between. */
export function followSecret(
  target: AdminTarget,
  accountId: string,
  tell: (secret: string) => void,
): () => void {
  const timer = setInterval(() => {
    // The API may just be starting; it is asked again a minute later.
    readSecret(target, accountId).then(tell, () => undefined)
  }, everyMs)
  return () => clearInterval(timer)
}
