import type { Context } from 'hono'
import type { AppEnv } from '../http/app-env.ts'
import { judgeRequest } from '../http/videos/create-video.ts'
import { readJson } from '../http/read-body.ts'

/** Judges a request as POST /v1/videos does, and answers what it would ask for; nothing is made or fetched. */
export async function planVideo(c: Context<AppEnv>): Promise<Response> {
  return c.json(await judgeRequest(c.env, c.get('caller').accountId, await readJson(c.req.raw)))
}
