import { callAdmin, type AdminTarget } from '../admin/call-admin.ts'

const everyMs = 60_000

/** What the webhooks of the account are signed with now. */
export async function readSecret(target: AdminTarget, accountId: string): Promise<string> {
  return (await callAdmin(target, { command: 'webhooks.show-secret', accountId })).secret
}

/** Tells of the secret once a minute. The one before stays good for a day, so nobody misses anything in between. */
export function followSecret(
  target: AdminTarget,
  accountId: string,
  tell: (secret: string) => void,
): () => void {
  const timer = setInterval(() => {
    // The API may be on its way up; it is asked again.
    readSecret(target, accountId).then(tell, () => undefined)
  }, everyMs)
  return () => clearInterval(timer)
}
