import { setTimeout as delay } from 'node:timers/promises'
import { sendSignal } from '../machine/kill-group.ts'
import { isStopped, membersOfGroup, type ProcessIdentity } from '../machine/process-table.ts'
import { StopWithMessage } from '../machine/stop-with-message.ts'

/** A Worker that is silent for 10 seconds is started again, so a pause ends well before that. */
const longestPauseMs = 6_000
/** The kernel stops a thread when it returns from the call that it is in, such as a write to a slow disk. */
const stopPatienceMs = 3_000

/** Throws when the pause has lasted too long; called between the steps of the work. */
export type KeepTime = () => void

class PauseFailed extends StopWithMessage {
  override name = 'PauseFailed'
}

/**
 * Stops all processes of a group, does some work while none of them runs, and lets them run again. For whatever they
 * write, that moment is like the one at which a `kill -9` would have ended them. The work is synchronous, so that
 * nothing comes between it and the end of the pause.
 */
export async function duringPause<Value>(
  leader: ProcessIdentity,
  work: (keepTime: KeepTime) => Value,
): Promise<{ value: Value; pausedMs: number }> {
  const resume = () => sendSignal(-leader.pid, 'SIGCONT')
  const startedAt = performance.now()
  process.on('exit', resume)
  try {
    sendSignal(-leader.pid, 'SIGSTOP')
    const stopped = await untilStopped(leader)
    const value = work(() => {
      if (performance.now() - startedAt > longestPauseMs) throw pauseTooLong()
    })
    requireStillStopped(stopped, leader)
    return { value, pausedMs: performance.now() - startedAt }
  } finally {
    resume()
    process.off('exit', resume)
  }
}

async function untilStopped(leader: ProcessIdentity): Promise<ProcessIdentity[]> {
  const deadline = performance.now() + stopPatienceMs
  for (;;) {
    const members = membersOfGroup(leader.pid)
    if (!members.some(({ startedAt }) => startedAt === leader.startedAt)) throw wasRestarted()
    if (members.every(({ pid }) => isStopped(pid))) return members
    if (performance.now() > deadline) {
      throw new PauseFailed('The Worker could not be paused: it waits for its disk. Try again.')
    }
    await delay(1)
  }
}

/** A Worker that was started again in the meantime has written to files that were copied before. */
function requireStillStopped(stopped: readonly ProcessIdentity[], leader: ProcessIdentity): void {
  const now = membersOfGroup(leader.pid)
  const isSame =
    now.length === stopped.length &&
    now.every(({ pid, startedAt }) =>
      stopped.some((other) => other.pid === pid && other.startedAt === startedAt),
    )
  if (!isSame || !now.every(({ pid }) => isStopped(pid))) throw wasRestarted()
}

function wasRestarted(): PauseFailed {
  return new PauseFailed('The Worker was restarted during the backup. Try again.')
}

function pauseTooLong(): PauseFailed {
  return new PauseFailed(
    `The service writes more than the disk of the backup takes in ${longestPauseMs / 1000} seconds. ` +
      'Back up to a faster disk, or stop the service for the backup.',
  )
}
