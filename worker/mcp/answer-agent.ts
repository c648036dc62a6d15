import { createMcpHandler } from '@modelcontextprotocol/server'
import type { Context } from 'hono'
import type { AppEnv } from '../http/app-env.ts'
import { describeError, log } from '../service/log.ts'
import { makeServer } from './make-server.ts'

/** Answers one message of an agent's client, in the current version of the protocol or an earlier one. */
export async function answerAgent(c: Context<AppEnv>, message: unknown): Promise<Response> {
  const handler = createMcpHandler(() => makeServer(c), {
    // No tool or resource changes while a client listens.
    maxSubscriptions: 0,
    onerror: (error) => log('info', 'message of an agent refused', describeError(error)),
  })
  const answer = await handler.fetch(c.req.raw, { parsedBody: message })
  // Keeps the headers that the answer has so far, such as what is left of the key's windows.
  return c.newResponse(answer.body, answer)
}
