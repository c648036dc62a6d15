import { describeError, log } from './log.ts'
import { readSettings, type Env } from '../settings.ts'

type Mail = { to: string; subject: string; text: string }

const patienceMs = 10_000

/**
 * `api`: an HTTP mail API sends mails. `log`: the service runs on its owner's machine, who reads mails in the log. `off`:
 * mails would reach nobody.
 */
export function mailMode(env: Env): 'api' | 'log' | 'off' {
  const { mail, environment } = readSettings(env)
  if (mail) return 'api'
  return environment === 'local' ? 'log' : 'off'
}

/** Sends a mail, or prints it. Returns false, after logging it, if the mail cannot be sent: most people then ask for another. */
export async function sendMail(env: Env, mail: Mail): Promise<boolean> {
  const mode = mailMode(env)
  // Only a local service writes mails to the log: their links are secrets.
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
    // The key is meant for the named API only.
    redirect: 'manual',
    signal: AbortSignal.timeout(patienceMs),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`The mail API answered with ${response.status}`)
}
