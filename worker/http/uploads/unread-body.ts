import { createMiddleware } from 'hono/factory'
import { letAnswerPass } from '../../upload/drain.ts'
import type { AppEnv } from '../app-env.ts'

/**
 * Lets a client read its answer even if its body was not read, as with a wrong key, whether the rest of the body comes
 * or not.
 */
export const passUnreadBody = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  const { body, bodyUsed } = c.req.raw
  if (body && !bodyUsed && !body.locked) await letAnswerPass(body.getReader({ mode: 'byob' }))
})
