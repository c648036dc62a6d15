import type { Context } from 'hono'
import type { AppEnv } from '../../http/app-env.ts'
import { sendFile } from '../../http/serve/serve-file.ts'
import { videoNotFound } from '../../service/videos/find-video.ts'
import { sourceGone } from '../../service/videos/source-of-video.ts'
import { sourceKey } from '../../store/objects/objects.ts'
import { findVideo } from '../../store/videos/videos.ts'
import type { VideoRow } from '../../store/tables/tables.ts'
import { memberOf } from '../session/require-member.ts'

/** GET /app/videos/{videoId}/source: the uploaded file, for the preview of another video made from it. */
export async function sendSource(c: Context<AppEnv>): Promise<Response> {
  const { accountId } = memberOf(c)
  const video = await findVideo(c.env.DB, accountId, c.req.param('videoId') ?? '')
  if (!video) throw videoNotFound()
  return answerWithSource(c, video)
}

/** Sends the file that a video was made from; the caller has checked that the reader may have it. */
export async function answerWithSource(c: Context<AppEnv>, video: VideoRow): Promise<Response> {
  const { source } = video
  if (!source || video.sourceDeletedAt !== null) throw sourceGone(video)
  const { uploadId, sizeBytes, fileName } = source
  const file = { key: sourceKey(uploadId), sizeBytes, name: fileName, isSaved: false }
  const answer = await sendFile(c, file)
  // Links to files may be used by other sites; this address only by pages of the dashboard.
  for (const name of ['Access-Control-Allow-Origin', 'Access-Control-Expose-Headers']) {
    answer.headers.delete(name)
  }
  answer.headers.set('Cross-Origin-Resource-Policy', 'same-origin')
  return answer
}
