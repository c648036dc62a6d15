import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { AppError } from '../../contract/answers/errors.ts'
import { isUploadOrigin } from '../../contract/addresses/upload-address.ts'
import { readPartLink, type PartLink } from '../../service/uploads/part-links.ts'
import { readSettings } from '../../settings.ts'
import { letAnswerPass } from '../../upload/drain.ts'
import { receivePart } from '../../upload/receive-part.ts'
import type { AppEnv } from '../app-env.ts'

/** Lets pages of the configured origins send parts and read every answer, errors included. */
export const allowUploadOrigins = createMiddleware<AppEnv>(async (c, next) => {
  const origin = c.req.header('Origin')
  c.header('Vary', 'Origin')
  if (origin !== undefined && isUploadOrigin(readSettings(c.env).uploadOrigins, origin)) {
    c.header('Access-Control-Allow-Origin', origin)
    c.header('Access-Control-Expose-Headers', 'ETag, X-Request-Id')
  }
  await next()
})

/** OPTIONS /parts/{token}: what a browser asks before it sends a part. The token is not checked. */
export function preflightPart(c: Context<AppEnv>): Response {
  const origin = c.req.header('Origin') ?? ''
  if (!isUploadOrigin(readSettings(c.env).uploadOrigins, origin)) {
    throw new AppError('Forbidden', 'Pages of this origin may not send parts; see UPLOAD_ORIGINS.')
  }
  c.header('Access-Control-Allow-Methods', 'PUT')
  c.header('Access-Control-Allow-Headers', 'Content-Type')
  c.header('Access-Control-Max-Age', '7200')
  return c.body(null, 204)
}

async function linkOf(c: Context<AppEnv>): Promise<PartLink> {
  const token = c.req.param('token') ?? ''
  const reading = await readPartLink(readSettings(c.env), token, Date.now())
  switch (reading.outcome) {
    case 'good':
      return reading.link
    case 'expired':
      throw new AppError('Forbidden', 'This upload has expired. Start a new one.')
    case 'forged':
      throw new AppError('Forbidden', 'This address is not valid. Read the upload for a fresh one.')
  }
}

/** PUT /parts/{token} */
export async function putPart(c: Context<AppEnv>): Promise<Response> {
  const link = await linkOf(c)
  const length = c.req.header('Content-Length')
  if (length === undefined) {
    throw new AppError('LengthRequired', 'Send Content-Length: a part has a known size.')
  }
  const body = c.req.raw.body?.getReader({ mode: 'byob' })
  try {
    const arriving = { source: body, length: Number(length) }
    const part = await receivePart(c.env, link, arriving, Date.now())
    c.header('ETag', part.etag)
    return c.json(part)
  } catch (error) {
    if (body) await letAnswerPass(body)
    throw error
  }
}
