import { setTimeout as delay } from 'node:timers/promises'
import { judgeProbe, type Watch } from './watchdog.ts'

const calmMs = 5_000
const worriedMs = 1_000
const answerMs = 5_000

/** Answered by workerd without running the Worker, so that probes stand in no log. */
const probePath = '/cdn-cgi/local/r2/s3/'

type Watched = {
  /** When its process was started, by the clock of `performance`. */
  readonly bornAtMs: number
  restart(): void
}

/**
 * Wrangler respawns a workerd that dies, but when it was the one that holds the port, the new one forwards nothing and
 * requests wait for ever. Only asking shows it. `cameUp` is called once for each process, the first included.
 */
export async function watchWorker(
  baseUrl: string,
  worker: Watched,
  cameUp: () => void,
  stop: AbortSignal,
): Promise<void> {
  let watch: Watch | undefined
  while (!stop.aborted) {
    const { bornAtMs } = worker
    const startedAtMs = performance.now()
    const answered = await probeOnce(baseUrl, stop)
    const probe = { answered, startedAtMs, nowMs: performance.now(), bornAtMs }
    const judged = judgeProbe(watch, probe)
    watch = judged.watch
    if (judged.verdict === 'came-up') cameUp()
    if (judged.verdict === 'restart' && !stop.aborted) worker.restart()
    const pauseMs = watch.silence ? worriedMs : calmMs
    await delay(pauseMs, undefined, { signal: stop }).catch(() => undefined)
  }
}

async function probeOnce(baseUrl: string, stop: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(baseUrl + probePath, {
      signal: AbortSignal.any([stop, AbortSignal.timeout(answerMs)]),
    })
    await response.body?.cancel()
    return true
  } catch {
    return false
  }
}
