import type { Context } from 'hono'
import { AppError } from '../../contract/answers/errors.ts'
import { asksForTranscript } from '../../contract/options/options.ts'
import { transcriptFile, type TranscriptFormat } from '../../contract/video/transcript.ts'
import { transcriptQuery, type TranscriptRecord } from '../../contract/video/video-record.ts'
import { linkTranscript, textOf, timestamp } from '../../service/videos/describe-video.ts'
import { makeLinks } from '../../service/files/file-links.ts'
import { readSettings, type Env } from '../../settings.ts'
import { callStorage } from '../../store/database.ts'
import type { VideoRow } from '../../store/tables/tables.ts'
import type { AppEnv } from '../app-env.ts'
import { readQuery } from '../read-query.ts'
import { requireVideo } from './get-video.ts'

const retryAfterSeconds = 5

/** Throws an error that says why there is no transcript yet, or why there will be none. */
function requireCompleted(video: VideoRow): void {
  const { transcriptStatus: status, transcript } = video
  switch (status) {
    case 'completed':
      return
    case 'pending':
    case 'processing':
      throw new AppError('Conflict', `The transcript is not ready yet; it is ${status}.`, {
        retryAfterSeconds,
      })
    case 'failed':
      throw new AppError('NotFound', transcript?.message ?? 'Transcription failed.')
    case 'not_requested':
      throw new AppError('NotFound', explainAbsence(video))
  }
}

function explainAbsence({ id, request }: VideoRow): string {
  return asksForTranscript(request)
    ? 'This video has no transcript; the warnings in its record say why.'
    : `This video was made without a transcript. For one, make it once more with {"sourceVideoId": "${id}", "enableTranscription": true}.`
}

async function openFile(env: Env, video: VideoRow, format: TranscriptFormat) {
  const gone = () =>
    new AppError('NotFound', 'The files of this transcript have expired or were deleted.')
  const output = video.result?.outputs[`transcript-${format}`]
  if (!output || (video.filesExpireAt !== null && video.filesExpireAt <= Date.now())) throw gone()
  const object = await callStorage(() => env.BUCKET.get(output.key))
  if (!object) throw gone()
  return { object, output }
}

async function describeTranscript(env: Env, video: VideoRow): Promise<TranscriptRecord> {
  const { urls } = await linkTranscript(video, makeLinks(readSettings(env), Date.now()))
  return {
    videoId: video.id,
    ...textOf(video.transcript),
    ...urls,
    createdAt: timestamp(video.finishedAt ?? video.updatedAt),
  }
}

/** GET /v1/videos/{videoId}/transcript */
export async function getTranscript(c: Context<AppEnv>): Promise<Response> {
  const { format } = await readQuery(c, transcriptQuery)
  const video = await requireVideo(c)
  requireCompleted(video)
  if (format === undefined) return c.json(await describeTranscript(c.env, video))
  const { object, output } = await openFile(c.env, video, format)
  if (format !== 'json') {
    return c.body(object.body, 200, {
      'Content-Type': output.contentType,
      'Content-Length': String(object.size),
    })
  }
  const { segments } = transcriptFile.parse(await callStorage(() => object.json()))
  return c.json({ ...(await describeTranscript(c.env, video)), segments })
}
