import path from 'node:path'
import type { OutputKind } from '../../../worker/contract/job/media-job.ts'
import type { UploadedOutput } from '../../../worker/contract/job/report.ts'
import { stackOf } from '../../errors/log.ts'
import { analysisPatienceMs, wantedForAnalysis } from '../../insight/frames/sample-frames.ts'
import type { Video } from '../../timeline/finished-video.ts'
import {
  makeThumbnail,
  posterPatienceMs,
  stillPatienceMs,
  wantedForPoster,
  wantedForStill,
} from '../../thumbnail/make-thumbnail.ts'
import type { WantedPictures } from '../../thumbnail/gather-pictures.ts'
import { JobStop } from '../../errors/job-error.ts'
import { progressOf, type JobContext } from '../job-context.ts'
import { uploadOutput } from '../report/upload-output.ts'

/** The first video of a job and its still: a file name in the job folder, if one could be made. */
export type VideoWithThumbnail = { readonly video: Video; readonly thumbnail: string | undefined }

/**
 * Every video gets a still, because lists of videos show one; if it was requested, it is chosen with more care. A failed still
 * does not fail the video. The video is searched for pictures once, for the still and the analysis together.
 */
export async function addThumbnail(
  context: JobContext,
  video: Video,
  renderingMs: number,
): Promise<VideoWithThumbnail> {
  const made = await orNothing(
    context,
    makeThumbnail(context.tools, video, wantedOf(context, renderingMs)),
  )
  if (!made) return { video, thumbnail: undefined }
  // The few pictures for a still that was not requested are not enough for the analysis.
  const pictures = context.job.options.enableThumbnail && { pictures: made.pictures }
  return { video: { ...video, ...pictures }, thumbnail: made.name }
}

function wantedOf({ job }: JobContext, renderingMs: number): WantedPictures {
  const { enableThumbnail, enableAiAnalysis } = job.options
  const within = (ms: number) => AbortSignal.timeout(ms)
  if (!enableThumbnail) return { ...wantedForPoster, patience: within(posterPatienceMs) }
  return enableAiAnalysis
    ? { ...wantedForAnalysis, patience: within(analysisPatienceMs) }
    : { ...wantedForStill, patience: within(stillPatienceMs(renderingMs)) }
}

/** The video is already stored at this point, so the thumbnail must not delay the end much. */
const stillBackoffMs = [500, 2_000]

/** Uploads the still of the video and those of its checks. If that fails, the video is still good. */
export async function uploadStills(
  { job, ...context }: JobContext,
  thumbnail: string | undefined,
  stills: readonly ResultFile[],
): Promise<UploadedOutput[]> {
  const { signal, tools } = context
  const own = thumbnail === undefined ? [] : [{ ...thumbnailFile, file: thumbnail }]
  const uploaded: UploadedOutput[] = []
  for (const { file, ...output } of [...own, ...stills]) {
    const upload = uploadOutput({
      ...{ job, signal, output },
      file: path.join(tools.folder, file),
      backoffMs: stillBackoffMs,
      onProgress: () => undefined,
    })
    uploaded.push(
      ...((await orNothing(
        context,
        upload.then((one) => [one]),
      )) ?? []),
    )
  }
  return uploaded
}

const thumbnailFile = { kind: 'thumbnail', extension: 'jpg' } as const

/** A file in the job folder, and as what it is stored. */
export type ResultFile = {
  readonly file: string
  readonly kind: OutputKind
  readonly extension: string
  /** The content type, if it is not the usual one for this extension. */
  readonly contentType?: string
}

type Stills = { readonly thumbnail: string | undefined; readonly stills: readonly ResultFile[] }

/** Uploads the files of all outputs, one after another, the still of the first video, and those of checks. */
export async function uploadOutputs(
  context: JobContext,
  files: readonly ResultFile[],
  { thumbnail, stills }: Stills,
): Promise<UploadedOutput[]> {
  const { job, signal, tools } = context
  const onProgress = progressOf(context, 'uploading')
  const uploaded: UploadedOutput[] = []
  for (const [i, { file, ...output }] of files.entries()) {
    uploaded.push(
      await uploadOutput({
        ...{ job, signal, output },
        file: path.join(tools.folder, file),
        onProgress: (share) => onProgress((i + share) / files.length),
      }),
    )
  }
  return [...uploaded, ...(await uploadStills(context, thumbnail, stills))]
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
  { log, signal }: Pick<JobContext, 'log' | 'signal'>,
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
