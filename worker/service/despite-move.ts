import { AppError } from '../contract/errors.ts'
import type { Env } from '../settings.ts'
import { movingMessage } from '../store/database.ts'
import { ofAccount } from './shards.ts'

/** The pause of a move is far shorter; after this the client is told to try again. */
const mostTries = 20
const pauseMs = 500

/**
 * Writes where the account lives. If it has moved to another database since its request began, the write is made there; if
 * it is just being moved, the write waits. Nothing was written when a database refuses for that reason.
 */
export async function despiteMove<Result>(
  env: Env,
  accountId: string,
  write: (at: Env) => Promise<Result>,
): Promise<Result> {
  for (let tried = 1, at = env; ; tried++) {
    try {
      return await write(at)
    } catch (error) {
      if (!isMoving(error) || tried === mostTries) throw error
    }
    const lives = await ofAccount(env, accountId)
    if (lives.shard === at.shard) await scheduler.wait(pauseMs)
    at = lives
  }
}

function isMoving(error: unknown): boolean {
  return error instanceof AppError && error.message === movingMessage
}
