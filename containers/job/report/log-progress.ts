import type { Phase } from '../../../worker/contract/video/video-state.ts'
import type { Log } from '../../errors/log.ts'

const everyMs = 500

/** Logs the progress of a job for a terminal: each phase, and a percentage at most twice a second. */
export function logProgress(
  log: Log,
  now: () => number = () => performance.now(),
): (phase: Phase, percent: number) => void {
  let last: { phase: Phase; percent: number; at: number } | undefined
  return (phase, percent) => {
    const at = now()
    if (last?.phase === phase && (percent === last.percent || at - last.at < everyMs)) return
    last = { phase, percent, at }
    log('info', 'Job progress', { phase, percent })
  }
}
