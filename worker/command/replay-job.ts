import type { AdminAnswer } from '../contract/people/admin.ts'
import { AppError } from '../contract/answers/errors.ts'
import { videoAccepted } from '../contract/video/video-record.ts'
import { isTerminal } from '../contract/video/video-state.ts'
import { submitVideo } from '../service/videos/submit-video.ts'
import type { Env } from '../settings.ts'
import { findJob, findJobIdOf, type JobToRun } from '../store/jobs/jobs.ts'
import { jobRunner } from '../durable/job/job-runner.ts'

/** Finds a job by its own id or by the id of its video, which is the one that people usually have at hand. */
export async function requireJob(env: Env, id: string): Promise<JobToRun> {
  const jobId = id.startsWith('v_') ? await findJobIdOf(env.DB, id) : id
  const found = jobId === undefined ? undefined : await findJob(env.DB, jobId)
  if (found) return found
  throw new AppError('NotFound', `There is no ${id.startsWith('v_') ? 'video' : 'job'} ${id}.`)
}

/**
 * Lets the operator push a job along. An unfinished job is dispatched at once, unless a media worker holds it. A job
 * that failed or was canceled stays as it is; its request is submitted again, as a new video of the same account.
 */
export async function replayJob(
  env: Env,
  id: string,
  now: number,
): Promise<AdminAnswer<'jobs.replay'>> {
  const { video, job } = await requireJob(env, id)
  const jobId = job.id
  if (!isTerminal(video.status)) {
    const checkup = await jobRunner(env, jobId).checkUp(jobId)
    if (checkup.found !== 'send') return { outcome: 'held', jobId, videoId: video.id }
    await env.JOBS.send({ kind: 'dispatch', jobId, chain: checkup.chain })
    return { outcome: 'sent', jobId, videoId: video.id }
  }
  if (video.status === 'succeeded') {
    throw new AppError('Conflict', 'The job has succeeded; there is nothing to replay.')
  }
  const { accountId } = job
  const sourceVideoId = video.source ? video.id : undefined
  const request = { ...video.request, uploadId: undefined, sourceVideoId }
  const submit = { accountId, request, scope: undefined, now }
  const { body } = await submitVideo(env, submit)
  const created = videoAccepted.parse(JSON.parse(body))
  return { outcome: 'created', jobId: created.jobId, videoId: created.videoId }
}
