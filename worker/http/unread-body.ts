import { createMiddleware } from 'hono/factory'
import { letAnswerPass } from '../upload/drain.ts'
import type { AppEnv } from './app-env.ts'

/**
 * Whoever was answered without a look at the body, as with a wrong key, shall read the answer, whether the rest of the
 * body comes or not.
 */
export const passUnreadBody = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  const { body, bodyUsed } = c.req.raw
  if (body && !bodyUsed && !body.locked) await letAnswerPass(body.getReader({ mode: 'byob' }))
})
