import type { Context } from 'hono'
import {
  completeUpload as completeBody,
  createUpload as createBody,
} from '../../contract/direct-upload.ts'
import { AppError } from '../../contract/answers/errors.ts'
import { uploadId as uploadIdSchema } from '../../contract/ids.ts'
import { timestamp } from '../../service/videos/describe-video.ts'
import { describeError, log } from '../../service/log.ts'
import { removeUploadObjects } from '../../service/uploads/source-upload.ts'
import type { UploadRow } from '../../store/tables/tables.ts'
import { dropUpload, forgetUpload } from '../../store/objects/uploads.ts'
import { completeDirectUpload } from '../../upload/complete-upload.ts'
import {
  announceUpload,
  describeUpload,
  requireUpload,
  uploadNotFound,
} from '../../upload/direct-upload.ts'
import type { AppEnv } from '../app-env.ts'
import { readInput } from '../read-body.ts'

/** The upload in the path if it is the caller's; another account's upload is not found. */
async function uploadOf(c: Context<AppEnv>): Promise<UploadRow> {
  const uploadId = uploadIdSchema.safeParse(c.req.param('uploadId'))
  if (!uploadId.success) throw uploadNotFound()
  return requireUpload(c.env, c.get('caller').accountId, uploadId.data, Date.now())
}

/** POST /v1/uploads */
export async function createUpload(c: Context<AppEnv>): Promise<Response> {
  const asked = await readInput(c.req.raw, createBody, 'POST /v1/videos/upload')
  const opened = await announceUpload(c.env, c.get('caller').accountId, asked, Date.now())
  c.header('Location', `/v1/uploads/${opened.uploadId}`)
  return c.json(opened, 201)
}

/** GET /v1/uploads/{uploadId} */
export async function getUpload(c: Context<AppEnv>): Promise<Response> {
  return c.json(await describeUpload(c.env, await uploadOf(c)))
}

/** POST /v1/uploads/{uploadId}/complete. Its body may be left out. */
export async function completeUpload(c: Context<AppEnv>): Promise<Response> {
  const upload = await uploadOf(c)
  const hasBody = c.req.raw.body !== null && c.req.header('Content-Length') !== '0'
  const { parts } = hasBody ? await readInput(c.req.raw, completeBody) : completeBody.parse({})
  const ready = await completeDirectUpload(c.env, upload, parts, Date.now())
  return c.json({ uploadId: ready.id, status: 'ready', expiresAt: timestamp(ready.expiresAt) })
}

/** DELETE /v1/uploads/{uploadId} */
export async function deleteUpload(c: Context<AppEnv>): Promise<Response> {
  const { id, status, multipartId, videoId } = await uploadOf(c)
  if (status === 'used') {
    throw new AppError(
      'Conflict',
      `The upload is the source of video ${videoId}; delete the video instead.`,
    )
  }
  if (!(await dropUpload(c.env.DB, { id, from: status }, Date.now()))) {
    throw new AppError('Conflict', 'The upload has just changed. Read it again.')
  }
  try {
    await removeUploadObjects(c.env, { id, multipartId })
    await forgetUpload(c.env.DB, { id, from: 'dropped' })
  } catch (error) {
    log('error', 'objects of a deleted upload remain', { uploadId: id, ...describeError(error) })
  }
  return c.body(null, 204)
}
