import { AppError } from '../../contract/answers/errors.ts'
import { hashSecret } from '../../contract/people/secret-token.ts'
import type { Env } from '../../settings.ts'
import { countAttempt, forgiveAttempt } from '../../store/people/attempts.ts'

/** What is limited, such as wrong passwords, and for whom: an e-mail address, a network address. */
export type Subject = {
  what: string
  whose: string
  limit: { attempts: number; windowMs: number }
  /** What people can do instead if others have used up their attempts. */
  advice?: string
}

/** Only hashes are kept: people type passwords where their address belongs. */
async function nameOf({ what, whose }: Subject): Promise<string> {
  return hashSecret(`${what}\n${whose}`)
}

/**
 * Counts an attempt for every subject before anything is tried, so that many at once do not slip through. Throws if one of
 * them has had enough. The subjects after it are not counted then, so that a sender who is refused for their own attempts
 * uses up nobody else's.
 */
export async function limitAttempts(
  env: Env,
  subjects: readonly Subject[],
  now: number,
): Promise<void> {
  for (const subject of subjects) {
    const { attempts, windowMs } = subject.limit
    const counted = await countAttempt(env.DB, { subject: await nameOf(subject), windowMs, now })
    if (counted.count > attempts) throw refusal(subject, counted.expiresAt - now)
  }
}

function refusal({ advice }: Subject, waitMs: number): AppError {
  const retryAfterSeconds = Math.ceil(waitMs / 1000)
  const wait = `Too many attempts. Try again in ${describeWait(retryAfterSeconds)}.`
  const message = advice === undefined ? wait : `${wait} ${advice}`
  return new AppError('RateLimitExceeded', message, { retryAfterSeconds })
}

/** Does not count these attempts, because they succeeded. */
export async function forgive(env: Env, subjects: readonly Subject[]): Promise<void> {
  await forgiveAttempt(env.DB, await Promise.all(subjects.map(nameOf)))
}

function describeWait(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  if (minutes >= 120) return `${Math.ceil(minutes / 60)} hours`
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}
