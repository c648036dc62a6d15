import type { CreateVideo } from '../contract/create-video.ts'
import { AppError } from '../contract/errors.ts'
import { mintId } from '../contract/ids.ts'
import type { VideoAccepted } from '../contract/video-record.ts'
import type { Env } from '../settings.ts'
import { firstSweepMs } from '../store/jobs.ts'
import { insertVideo } from '../store/videos.ts'
import { describeError, log } from './log.ts'
import { nameVideo } from './name-video.ts'

/** More clashes of random ids than this are a fault, not chance. */
const idTries = 5

/**
 * Stores the video with its job and puts the job on the queue. Once stored it will reach an end: when the queue refuses
 * the message, the sweep sends it.
 */
export async function submitVideo(
  env: Env,
  accountId: string,
  request: CreateVideo,
  now: number,
): Promise<VideoAccepted> {
  const { videoId, jobId } = await storeVideo(env, accountId, request, now)
  try {
    await env.JOBS.send({ kind: 'dispatch', jobId })
  } catch (error) {
    log('warn', 'queue refused a job; the sweep will send it', { jobId, ...describeError(error) })
  }
  return { videoId, jobId, status: 'queued', message: 'The video is queued for processing.' }
}

async function storeVideo(env: Env, accountId: string, request: CreateVideo, now: number) {
  for (let tried = 0; tried < idTries; tried++) {
    const videoId = mintId('v')
    const jobId = mintId('j')
    const inserted = await insertVideo(
      env.DB,
      {
        id: videoId,
        accountId,
        name: nameVideo(request, videoId),
        status: 'queued',
        request,
        transcriptStatus: request.enableTranscription ? 'pending' : 'not_requested',
        analysisStatus: request.enableAiAnalysis ? 'pending' : 'not_requested',
        createdAt: now,
        updatedAt: now,
      },
      { id: jobId, videoId, accountId, createdAt: now, sweepAfter: now + firstSweepMs },
    )
    if (inserted) return { videoId, jobId }
  }
  throw new AppError('InternalError', undefined, { cause: new Error('no free video id found') })
}
