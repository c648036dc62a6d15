import type { Context } from 'hono'
import { AppError } from '../contract/answers/errors.ts'
import type { AppEnv } from '../http/app-env.ts'
import { countFurther } from '../http/guard/authenticate.ts'
import { readJson } from '../http/read-body.ts'

/** Clients of the protocol of 2025 may send several messages as one list; no known client sends more than a few. */
const mostMessages = 20

/** POST /mcp */
export async function serveMcp(c: Context<AppEnv>): Promise<Response> {
  const message = await readJson(c.req.raw)
  if (Array.isArray(message)) {
    if (message.length > mostMessages) {
      throw new AppError('PayloadTooLarge', `At most ${mostMessages} messages in one request.`)
    }
    await countFurther(c, message.length - 1)
  }
  // Loaded when the first agent comes, so that an isolate that serves only the API does not build the schemas of the
  // protocol.
  const { answerAgent } = await import('./answer-agent.ts')
  return answerAgent(c, message)
}
