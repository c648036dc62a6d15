import type { Context } from 'hono'
import { transcriptFile } from '../../contract/video/transcript.ts'
import { transcriptQuery, type TranscriptRecord } from '../../contract/video/video-record.ts'
import { linkTranscript, transcriptText, timestamp } from '../../service/videos/describe-video.ts'
import { makeLinks } from '../../service/files/file-links.ts'
import { storedFile } from '../../service/files/stored-file.ts'
import { openTranscript, requireCompleted } from '../../service/videos/transcript-file.ts'
import { readSettings, type Env } from '../../settings.ts'
import { callStorage } from '../../store/database.ts'
import type { VideoRow } from '../../store/tables/tables.ts'
import type { AppEnv } from '../app-env.ts'
import { readQuery } from '../read-query.ts'
import { requireVideo } from './get-video.ts'

async function describeTranscript(env: Env, video: VideoRow): Promise<TranscriptRecord> {
  const urls = await linkTranscript(video, makeLinks(readSettings(env), Date.now()))
  return {
    videoId: video.id,
    ...transcriptText(video.transcript),
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
  const output = storedFile(video, `transcript-${format}`)
  const object = await openTranscript(c.env, video, output)
  if (format !== 'json') {
    return c.body(object.body, 200, {
      'Content-Type': output?.contentType ?? 'text/plain; charset=utf-8',
      'Content-Length': String(object.size),
    })
  }
  const { segments } = transcriptFile.parse(await callStorage(() => object.json()))
  return c.json({ ...(await describeTranscript(c.env, video)), segments })
}
