import type { Spool } from '../../spool.ts'
import type { Session } from '../session/session.ts'
import { ProgressDisplay } from '../terminal/progress.ts'

/** Who asks, the service, and where progress is shown. */
export type Context = { session: Session; spool: Spool; progress: ProgressDisplay }

/** Does this work, and takes its progress off the screen however it ends. */
export async function withProgress<Result>(
  session: Session,
  work: (context: Context) => Promise<Result>,
): Promise<Result> {
  const progress = new ProgressDisplay(session.screen, session.surroundings.now)
  try {
    return await work({ session, spool: await session.spool(), progress })
  } finally {
    progress.stop()
  }
}
