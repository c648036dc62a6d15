import { transcriptFile, type TranscriptFile } from '../../contract/video/transcript.ts'
import { placeInLine } from '../../durable/job/queue-place.ts'
import { readKeptJob } from '../../http/videos/get-job.ts'
import { storedFile } from '../../service/files/stored-file.ts'
import { describeVideo, type LinkMaker } from '../../service/videos/describe-video.ts'
import { describeError, log } from '../../service/log.ts'
import { findSourceUrl } from '../../service/videos/source-of-video.ts'
import { readSettings, type Env } from '../../settings.ts'
import { callStorage } from '../../store/database.ts'
import { findArchived } from '../../store/videos/archive.ts'
import { findJobOfVideo } from '../../store/jobs/jobs.ts'
import type { ShownVideo } from '../../store/tables/tables.ts'
import { readPlan, type ShownPlan } from './read-plan.ts'
import type { JobRecord } from '../../contract/job/job-record.ts'
import type { CreateVideo } from '../../contract/options/create-video.ts'
import type { VideoRecord } from '../../contract/video/video-record.ts'

/** Reads what the page of one video shows; undefined if the account has no such video. */
export async function readVideoView(
  env: Env,
  accountId: string,
  videoId: string,
  linkTo: LinkMaker,
): Promise<VideoView | undefined> {
  const found = await readKeptJob(
    env,
    async () => findJobOfVideo(env.DB, accountId, videoId),
    async () => findArchived(env.BUCKET, accountId, videoId),
  )
  if (!found) return undefined
  const { record: job, video } = found
  const plans = job.attempts.map(({ plan }) => readPlan(plan))
  const place = await placeInLine(env, video)
  const record = await describeVideo(video, linkTo, { now: Date.now(), place })
  const kept = `/app/videos/${videoId}/source`
  return {
    record,
    sourceUrl: await findSourceUrl(env, readSettings(env), { video, kept }),
    outputs: video.request.outputs,
    stillUrl: (await linkTo(video, 'thumbnail'))?.url,
    job,
    plan: plans.findLast((plan) => plan !== undefined),
    transcript: await readTranscript(env, video),
  }
}

/** The transcript; if it cannot be read, the rest of the page is still shown. */
async function readTranscript(env: Env, video: ShownVideo): Promise<TranscriptFile | undefined> {
  const output = storedFile(video, 'transcript-json')
  const isGone = video.filesExpireAt !== null && video.filesExpireAt <= Date.now()
  if (video.transcriptStatus !== 'completed' || !output || isGone) return undefined
  try {
    const object = await callStorage(() => env.BUCKET.get(output.key))
    return object ? transcriptFile.parse(await callStorage(() => object.json())) : undefined
  } catch (error) {
    log('error', 'a transcript could not be shown', { videoId: video.id, ...describeError(error) })
    return undefined
  }
}

/** What the page of one video shows. */
export type VideoView = {
  record: VideoRecord
  /** Where the browser of a member finds its only source. */
  sourceUrl: string | undefined
  /** The outputs of the request; the record also says what became of them. */
  outputs: CreateVideo['outputs']
  /** The still, which a video has even if none was asked for. */
  stillUrl: string | undefined
  job: JobRecord
  /** The plan of the last attempt that had one. */
  plan: ShownPlan | undefined
  /** The words with their times; absent until they are known, or once the file is gone. */
  transcript: TranscriptFile | undefined
}
