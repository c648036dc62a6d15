import { mintId } from '../../contract/ids.ts'
import { readSettings, type Env } from '../../settings.ts'
import type { JobToRun } from '../../store/jobs/jobs.ts'
import { endVideo, type Claim } from '../../store/videos/transitions.ts'
import { endBatchIfThrough } from '../batches/end-batch.ts'
import { describeError, log } from '../log.ts'
import { keepTrace } from './attempt-traces.ts'
import { conclude, type Ending } from './conclude.ts'
import { makeLinks } from '../files/file-links.ts'
import { sendEvent } from '../webhooks/deliveries.ts'

const dayMs = 86_400_000

/**
 * Writes the one change that ends a video, and sends its webhooks. Writes nothing, and returns false, if the video had
 * already ended.
 */
export async function endJob(
  env: Env,
  found: JobToRun,
  claim: Claim,
  ending: Ending,
): Promise<boolean> {
  const now = Date.now()
  const change = await conclude(found.video, ending, {
    eventId: mintId('msg'),
    endpoints: found.endpoints,
    now,
    retainOutputsMs: found.retainOutputsDays * dayMs,
    retainSourcesMs: found.retainSourcesDays * dayMs,
    linkTo: makeLinks(readSettings(env), now),
  })
  const trace = await keepTrace(env, claim, change.trace)
  const ended = await endVideo(env.DB, claim, { ...change, trace })
  if (ended) await sendEvent(env, change.event)
  if (ended && found.video.batchId !== null) await endBatch(env, found.video.batchId)
  return ended
}

/** Ends the batch of a video that has ended. If this fails, the sweep does it. */
async function endBatch(env: Env, batchId: string): Promise<void> {
  try {
    await endBatchIfThrough(env, batchId)
  } catch (error) {
    log('warn', 'a batch is left to the sweep', { batchId, ...describeError(error) })
  }
}
