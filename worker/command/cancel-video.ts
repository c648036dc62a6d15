import { AppError } from '../contract/answers/errors.ts'
import { isTerminal } from '../contract/video/video-state.ts'
import { jobRunner } from '../durable/job/job-runner.ts'
import { videoNotFound } from '../service/videos/find-video.ts'
import type { Env } from '../settings.ts'
import type { ShownVideo } from '../store/tables/tables.ts'
import { findVideo } from '../store/videos/videos.ts'

/** Ends a video that has not ended, and returns it as it then is. A video that is canceled already stays so. */
export async function cancelVideo(env: Env, video: ShownVideo): Promise<ShownVideo> {
  const after = isTerminal(video.status) ? video : await endAndRead(env, video)
  if (after.status !== 'canceled') {
    throw new AppError('Conflict', `The video has already ${after.status}; it cannot be canceled.`)
  }
  return after
}

async function endAndRead(env: Env, video: ShownVideo): Promise<ShownVideo> {
  await cancelJob(env, video.jobId)
  const after = await findVideo(env.DB, video.accountId, video.id)
  if (!after) throw videoNotFound()
  return after
}

/** Errors lose their class on the way out of a Durable Object. The only thing that can fail in this one is storage. */
async function cancelJob(env: Env, jobId: string): Promise<void> {
  try {
    await jobRunner(env, jobId).cancel(jobId)
  } catch (error) {
    throw new AppError('StorageError', undefined, { cause: error })
  }
}
