/** What is known of the process that is watched now. */
export type Watch = {
  bornAtMs: number
  hasAnswered: boolean
  /** Since when, and how often in a row, there was no answer. */
  silence: { sinceMs: number; failures: number } | undefined
  /** How long the next process may take until its first answer. */
  startMs: number
}

export type Probe = { answered: boolean; startedAtMs: number; nowMs: number; bornAtMs: number }

const failuresToAct = 3
/** Longer than wrangler takes to bring its own workerd back. */
const silenceToActMs = 10_000
/** On a busy machine a start takes a minute and more; ended before it is up, it would never come up. */
const firstStartMs = 60_000
const longestStartMs = 600_000

/** What one more probe means. Anything that answers is alive, whatever it says. */
export function judgeProbe(
  known: Watch | undefined,
  probe: Probe,
): { watch: Watch; verdict: 'came-up' | 'restart' | undefined } {
  const { answered, startedAtMs, nowMs, bornAtMs } = probe
  const before = known?.bornAtMs === bornAtMs ? known : aNewOne(bornAtMs, known?.startMs)
  if (answered) {
    const watch = { bornAtMs, hasAnswered: true, silence: undefined, startMs: firstStartMs }
    return { watch, verdict: before.hasAnswered ? undefined : 'came-up' }
  }
  const sinceMs = before.silence?.sinceMs ?? startedAtMs
  const failures = (before.silence?.failures ?? 0) + 1
  const isSilent = before.hasAnswered
    ? nowMs - sinceMs >= silenceToActMs
    : nowMs - bornAtMs >= before.startMs
  // Counted as well as timed: after a machine has slept, one probe fails and much time is over.
  if (failures < failuresToAct || !isSilent) {
    return { watch: { ...before, silence: { sinceMs, failures } }, verdict: undefined }
  }
  const startMs = before.hasAnswered ? firstStartMs : Math.min(longestStartMs, 2 * before.startMs)
  return { watch: { ...before, silence: undefined, startMs }, verdict: 'restart' }
}

function aNewOne(bornAtMs: number, startMs = firstStartMs): Watch {
  return { bornAtMs, hasAnswered: false, silence: undefined, startMs }
}
