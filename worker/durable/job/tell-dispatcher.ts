import { dispatcher, type Dispatching } from '../../service/line/dispatching.ts'
import { describeError, log } from '../../service/log.ts'
import type { Env } from '../../settings.ts'

/**
 * Tells the dispatcher about a slot. What it does not hear it finds out within a minute, so a failure must not stop what
 * happens to the job.
 */
export async function tellDispatcher(
  env: Env,
  tell: (slots: Dispatching) => Promise<void>,
): Promise<void> {
  try {
    await tell(dispatcher(env))
  } catch (error) {
    log('warn', 'the dispatcher did not hear of a slot', describeError(error))
  }
}
