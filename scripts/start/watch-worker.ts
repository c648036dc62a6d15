import { setTimeout as delay } from 'node:timers/promises'
import { judgeProbe, type Silence } from './watchdog.ts'

const calmMs = 5_000
const worriedMs = 1_000
const answerMs = 5_000

/** Answered by workerd without running the Worker, so that probes stand in no log. */
const probePath = '/cdn-cgi/local/r2/s3/'

/**
 * Wrangler respawns a workerd that dies, but when it was the one that holds the port, the new one forwards nothing and
 * requests wait for ever. Only asking shows it.
 */
export async function watchWorker(
  baseUrl: string,
  restart: () => void,
  stop: AbortSignal,
): Promise<void> {
  let silence: Silence
  while (!stop.aborted) {
    const startedAtMs = performance.now()
    const answered = await probeOnce(baseUrl, stop)
    const verdict = judgeProbe(silence, { answered, startedAtMs, nowMs: performance.now() })
    silence = verdict.silence
    if (verdict.restart && !stop.aborted) restart()
    await delay(silence ? worriedMs : calmMs, undefined, { signal: stop }).catch(() => undefined)
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
