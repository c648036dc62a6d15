import { setTimeout as delay } from 'node:timers/promises'
import { judgeProbe, type Watch } from './watchdog.ts'

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
