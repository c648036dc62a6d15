import { setTimeout as delay } from 'node:timers/promises'

const calmMs = 5_000
const worriedMs = 1_000
const answerMs = 5_000
/** Of one core. Others may have the rest of the machine. */
const busyShare = 0.1

export type Watched = {
  /** Any answer at this address means that the process is alive. */
  readonly probeUrl: string
  /** When its process was started, by the clock of `performance`. */
  readonly bornAtMs: number
  /** The processor time that it has used; undefined where that cannot be read. */
  processorMs(): number | undefined
  restart(): void
  /** Called once for each of its processes, the first included. */
  cameUp(): void
}

/** A process that dies is started again anyway; one that is alive and answers nobody is found only by asking it. */
export async function watchPart(part: Watched, stop: AbortSignal): Promise<void> {
  let watch: Watch | undefined
  while (!stop.aborted) {
    const { bornAtMs } = part
    const startedAtMs = performance.now()
    const before = part.processorMs()
    const answered = await probeOnce(part.probeUrl, stop)
    const nowMs = performance.now()
    const workedMs = answered ? 0 : (part.processorMs() ?? 0) - (before ?? 0)
    const isBusy = workedMs > (nowMs - startedAtMs) * busyShare
    const probe = { answered, startedAtMs, nowMs, bornAtMs, isBusy }
    const judged = judgeProbe(watch, probe)
    watch = judged.watch
    if (judged.verdict === 'came-up') part.cameUp()
    if (judged.verdict === 'restart' && !stop.aborted) part.restart()
    const pauseMs = watch.silence ? worriedMs : calmMs
    await delay(pauseMs, undefined, { signal: stop }).catch(() => undefined)
  }
}

async function probeOnce(probeUrl: string, stop: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(probeUrl, {
      signal: AbortSignal.any([stop, AbortSignal.timeout(answerMs)]),
    })
    await response.body?.cancel()
    return true
  } catch {
    return false
  }
}

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
