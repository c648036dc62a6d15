import { withinMs } from '../../contract/within-ms.ts'
import type { ShownPlace } from '../../service/videos/describe-video.ts'
import { dispatcher } from '../../service/line/dispatching.ts'
import { isolateMemory } from '../../contract/isolate-memory.ts'
import { describeError, log } from '../../service/log.ts'
import type { Env } from '../../settings.ts'

/** A place is worth no more waiting than this. */
const answerMs = 1_000
/** Many readers of one waiting video ask the dispatcher once. */
const freshMs = 2_000
const mostKept = 10_000
const kept = isolateMemory(
  () => new Map<string, { place: Promise<ShownPlace | undefined>; askedAt: number }>(),
)

/** Where the job of a queued video stands in line; undefined for any other, and while that is unknown. */
export async function placeInLine(
  env: Env,
  { status, jobId }: { status: string; jobId: string },
): Promise<ShownPlace | undefined> {
  if (status !== 'queued') return undefined
  const now = Date.now()
  const { current } = kept
  const known = current.get(jobId)
  if (known && now < known.askedAt + freshMs) return known.place
  if (current.size >= mostKept) current.clear()
  const place = ask(env, jobId, now)
  current.set(jobId, { place, askedAt: now })
  return place
}

async function ask(env: Env, jobId: string, now: number): Promise<ShownPlace | undefined> {
  try {
    const place = await withinMs(answerMs, dispatcher(env).placeOf(jobId))
    if (!place) return undefined
    const { position, startsInMs, left } = place
    return {
      position,
      startsAt: startsInMs === undefined ? undefined : now + startsInMs,
      left: left && { ...left, at: now },
    }
  } catch (error) {
    log('warn', 'the dispatcher did not tell a place in line', { jobId, ...describeError(error) })
    return undefined
  }
}
