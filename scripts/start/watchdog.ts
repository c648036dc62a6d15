/** Since when, and how often in a row, there was no answer. */
export type Silence = { sinceMs: number; failures: number } | undefined

const failuresToAct = 3
/** Longer than wrangler takes to bring its own workerd back. */
const silenceToActMs = 10_000

/** What one more probe means. Anything that answers is alive, whatever it says. */
export function judgeProbe(
  silence: Silence,
  probe: { answered: boolean; startedAtMs: number; nowMs: number },
): { silence: Silence; restart: boolean } {
  if (probe.answered) return { silence: undefined, restart: false }
  const sinceMs = silence?.sinceMs ?? probe.startedAtMs
  const failures = (silence?.failures ?? 0) + 1
  // Counted as well as timed: after a machine has slept, one probe fails and much time is over.
  const restart = failures >= failuresToAct && probe.nowMs - sinceMs >= silenceToActMs
  return restart ? { silence: undefined, restart } : { silence: { sinceMs, failures }, restart }
}
