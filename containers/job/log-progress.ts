import type { Phase } from '../../worker/contract/video-state.ts'
import type { Log } from '../errors/log.ts'

const everyMs = 500

/** Writes how far a job is, for a terminal that shows it: each phase, and a percent twice a second at most. */
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
