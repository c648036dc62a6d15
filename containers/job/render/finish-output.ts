import path from 'node:path'
import type { UploadedOutput } from '../../../worker/contract/job/report.ts'
import { stackOf } from '../../errors/log.ts'
import { contentTypeOf } from '../../render/output/encoding.ts'
import { analysisPatienceMs, wantedForAnalysis } from '../../insight/frames/sample-frames.ts'
import type { Video } from '../../timeline/finished-video.ts'
import { makeThumbnail, stillPatienceMs, wantedForStill } from '../../thumbnail/make-thumbnail.ts'
import { JobStop } from '../../errors/job-error.ts'
import { progressOf, type JobContext } from '../job-context.ts'
import type { Rendered } from './run-plan.ts'
import { uploadOutput } from '../report/upload-output.ts'

/** The video and its thumbnail: a file name in the job folder, if a thumbnail was asked for and could be made. */
export type Finished = {
  readonly video: Rendered & Video
  readonly thumbnail: string | undefined
}

/**
 * A failed thumbnail does not fail the video. The video is searched for pictures once, for the thumbnail and the
 * analysis together.
 */
export async function addThumbnail(
  context: JobContext,
  video: Rendered,
  renderingMs: number,
): Promise<Finished> {
  const { enableThumbnail, enableAiAnalysis } = context.job.options
  if (!enableThumbnail) return { video, thumbnail: undefined }
  const patienceMs = enableAiAnalysis ? analysisPatienceMs : stillPatienceMs(renderingMs)
  const made = await orNothing(
    context,
    makeThumbnail(context.tools, video, {
      ...(enableAiAnalysis ? wantedForAnalysis : wantedForStill),
      patience: AbortSignal.timeout(patienceMs),
    }),
  )
  return made
    ? { video: { ...video, pictures: made.pictures }, thumbnail: made.name }
    : { video, thumbnail: undefined }
}

/** The video is already stored at this point, so the thumbnail must not delay the end much. */
const stillBackoffMs = [500, 2_000]

export async function uploadFinished(
  context: JobContext,
  { video, thumbnail }: Finished,
): Promise<UploadedOutput[]> {
  const { job, signal, tools } = context
  const { format } = video.plan
  const shared = { job, signal }
  const final = await uploadOutput({
    ...shared,
    file: path.join(tools.folder, video.name),
    output: { kind: 'final', extension: format, contentType: contentTypeOf(format) },
    onProgress: progressOf(context, 'uploading'),
  })
  if (thumbnail === undefined) return [final]
  const still = await orNothing(
    context,
    uploadOutput({
      ...shared,
      file: path.join(tools.folder, thumbnail),
      output: { kind: 'thumbnail', extension: 'jpg', contentType: 'image/jpeg' },
      backoffMs: stillBackoffMs,
      onProgress: () => undefined,
    }),
  )
  return still ? [final, still] : [final]
}

export function thumbnailWarnings(
  { job }: JobContext,
  outputs: readonly UploadedOutput[],
): string[] {
  const isMissing = outputs.every(({ kind }) => kind !== 'thumbnail')
  return job.options.enableThumbnail && isMissing
    ? ['enableThumbnail: no still could be made of this video.']
    : []
}

/** Rethrows if the job was stopped; only logs every other failure. */
async function orNothing<Result>(
  { log, signal }: JobContext,
  work: Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof JobStop) throw error
    log('warn', 'The thumbnail could not be made', { fault: stackOf(error) })
    return undefined
  }
}
