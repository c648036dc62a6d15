import { fewAtOnce } from '../contract/few-at-once.ts'
import { withinMs } from '../contract/within-ms.ts'
import { courier } from '../durable/courier.ts'
import { describeError, log } from '../service/log.ts'
import type { Env } from '../settings.ts'
import { listDueUndelivered, postponeUndelivered } from '../store/undelivered.ts'

/** One tick looks at this many videos at most; the next one continues. */
const videosPerTick = 500
const atOnce = 16
const answerMs = 5000
/** Couriers wait by themselves; this only finds those that were never told, or that have lost their alarm. */
const lookAgainMs = 3_600_000

/** Wakes the couriers of videos whose deliveries have not ended. */
export async function sweepDeliveries(env: Env, now: number): Promise<void> {
  const due = await listDueUndelivered(env.DB, now, videosPerTick)
  const told: string[] = []
  await fewAtOnce(due, atOnce, async (videoId) => {
    if (await wake(env, videoId)) told.push(videoId)
  })
  await postponeUndelivered(env.DB, told, now + lookAgainMs)
}

async function wake(env: Env, videoId: string): Promise<boolean> {
  try {
    await withinMs(answerMs, courier(env, videoId).begin(videoId))
    return true
  } catch (error) {
    log('error', 'sweep could not wake a courier', { videoId, ...describeError(error) })
    return false
  }
}
