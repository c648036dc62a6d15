/** What is known about the process that is watched. */
export type Watch = {
  bornAtMs: number
  hasAnswered: boolean
  /** Since when, and how many times in a row, there was no answer. */
  silence: { sinceMs: number; failures: number } | undefined
  /** How long the next process may take until its first answer. */
  startMs: number
}

type Probe = {
  answered: boolean
  startedAtMs: number
  nowMs: number
  bornAtMs: number
  /** It was busy while it was asked: it answered others first, or computed. */
  isBusy: boolean
}

const failuresToAct = 3
/** Longer than wrangler takes to restart its own workerd. */
const silenceToActMs = 10_000
/** A flood of requests may keep the runtime from answering for as long; ending it would lose what it has begun. */
const busySilenceToActMs = 60_000
/** On a busy machine a start takes a minute or more; if it were ended earlier, it would never come up. */
const firstStartMs = 60_000
const longestStartMs = 600_000

/** Judges one more probe. Any answer means that the process is alive. */
export function judgeProbe(
  known: Watch | undefined,
  probe: Probe,
): { watch: Watch; verdict: 'came-up' | 'restart' | undefined } {
  const { answered, startedAtMs, nowMs, bornAtMs, isBusy } = probe
  const before = known?.bornAtMs === bornAtMs ? known : aNewOne(bornAtMs, known?.startMs)
  if (answered) {
    const watch = { bornAtMs, hasAnswered: true, silence: undefined, startMs: firstStartMs }
    return { watch, verdict: before.hasAnswered ? undefined : 'came-up' }
  }
  const sinceMs = before.silence?.sinceMs ?? startedAtMs
  const failures = (before.silence?.failures ?? 0) + 1
  const isSilent = before.hasAnswered
    ? nowMs - sinceMs >= (isBusy ? busySilenceToActMs : silenceToActMs)
    : nowMs - bornAtMs >= before.startMs
  // Failures are counted as well as timed: after a machine has slept, one probe fails although much time has passed.
  if (failures < failuresToAct || !isSilent) {
    return { watch: { ...before, silence: { sinceMs, failures } }, verdict: undefined }
  }
  const startMs = before.hasAnswered ? firstStartMs : Math.min(longestStartMs, 2 * before.startMs)
  return { watch: { ...before, silence: undefined, startMs }, verdict: 'restart' }
}

function aNewOne(bornAtMs: number, startMs = firstStartMs): Watch {
  return { bornAtMs, hasAnswered: false, silence: undefined, startMs }
}
