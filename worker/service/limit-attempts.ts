import { AppError } from '../contract/errors.ts'
import { hashSecret } from '../contract/secret-token.ts'
import type { Env } from '../settings.ts'
import { countAttempt, forgiveAttempt } from '../store/attempts.ts'

type Limit = { attempts: number; windowMs: number }

/** What is limited, such as wrong passwords, and whose attempt this is: an e-mail address, a network address. */
export type Subject = { what: string; whose: string; limit: Limit }

/** Only hashes are kept: people type passwords where their address belongs. */
async function nameOf({ what, whose }: Subject): Promise<string> {
  return hashSecret(`${what}\n${whose}`)
}

/**
 * Counts an attempt for every subject before anything is tried, so that many at once do not slip through. An error if one
 * of them has had enough.
 */
export async function limitAttempts(
  env: Env,
  subjects: readonly Subject[],
  now: number,
): Promise<void> {
  const waits = await Promise.all(
    subjects.map(async (subject) => {
      const { attempts, windowMs } = subject.limit
      const counted = await countAttempt(env.DB, {
        subject: await nameOf(subject),
        windowMs,
        now,
      })
      return counted.count > attempts ? counted.expiresAt - now : 0
    }),
  )
  const waitMs = Math.max(...waits)
  if (waitMs <= 0) return
  const retryAfterSeconds = Math.ceil(waitMs / 1000)
  const message = `Too many attempts. Try again in ${describeWait(retryAfterSeconds)}.`
  throw new AppError('RateLimitExceeded', message, { retryAfterSeconds })
}

/** The attempt succeeded and does not count. */
export async function forgive(env: Env, subjects: readonly Subject[]): Promise<void> {
  await forgiveAttempt(env.DB, await Promise.all(subjects.map(nameOf)))
}

function describeWait(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  if (minutes >= 120) return `${Math.ceil(minutes / 60)} hours`
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}
