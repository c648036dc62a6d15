import { describeError, log } from './log.ts'
import { readSettings, type Env } from '../settings.ts'

type Mail = { to: string; subject: string; text: string }

const patienceMs = 10_000

/**
 * `api`: an HTTP mail API sends mails. `log`: the service runs on somebody's machine, who reads them in the log. `off`:
 * nobody would get them.
 */
export function mailMode(env: Env): 'api' | 'log' | 'off' {
  const { mail, environment } = readSettings(env)
  if (mail) return 'api'
  return environment === 'local' ? 'log' : 'off'
}

/**
 * Sends a mail, or prints it. A mail that cannot be sent is noted, and false is returned: most people then ask for another.
 */
export async function sendMail(env: Env, mail: Mail): Promise<boolean> {
  const mode = mailMode(env)
  // Only locally does a mail stand in the log: what it links to is a secret.
  if (mode === 'log') log('info', 'mail', { ...mail })
  if (mode !== 'api') return mode === 'log'
  try {
    await postMail(env, mail)
    return true
  } catch (error) {
    log('error', 'a mail was not sent', { subject: mail.subject, ...describeError(error) })
    return false
  }
}

async function postMail(env: Env, { to, subject, text }: Mail): Promise<void> {
  const { mail } = readSettings(env)
  if (!mail) return
  const response = await fetch(mail.url, {
    method: 'POST',
    headers: { Authorization: `Bearer ${mail.key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ from: mail.from, to: [to], subject, text }),
    // A key is meant for the named API only.
    redirect: 'manual',
    signal: AbortSignal.timeout(patienceMs),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`The mail API answered with ${response.status}`)
}
