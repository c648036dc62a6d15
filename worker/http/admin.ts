import type { Context } from 'hono'
import { adminNonce, adminRequest } from '../contract/people/admin.ts'
import { AppError, invalidRequest } from '../contract/answers/errors.ts'
import { limits } from '../contract/limits.ts'
import { parseInput, requireParsed } from '../contract/input/parse-input.ts'
import { parseJsonBody } from '../contract/input/read-json.ts'
import {
  signatureHeader,
  signatureLifetimeMs,
  verifyMessage,
} from '../contract/job/signed-message.ts'
import { runAdminCommand } from '../command/run-admin-command.ts'
import { readSettings, type Env } from '../settings.ts'
import { useAdminNonce } from '../store/people/one-time-tokens.ts'
import type { AppEnv } from './app-env.ts'
import { readText } from './read-body.ts'

/** POST /internal/admin: the operator's commands, signed with SPOOL_ADMIN_SECRET. */
export async function administer(c: Context<AppEnv>): Promise<Response> {
  const text = await readText(c.req.raw, limits.jsonBodyBytes)
  const { adminSecret } = readSettings(c.env)
  if (!(await verifyMessage(adminSecret, text, c.req.header(signatureHeader), Date.now()))) {
    throw new AppError(
      'Unauthorized',
      'The signature is not valid; is SPOOL_ADMIN_SECRET the right one?',
    )
  }
  const body = parseJsonBody(text)
  if (!body.ok) throw invalidRequest([body.fault])
  const { nonce, ...command } = requireParsed(parseInput(adminNonce, body.value))
  const request = requireParsed(parseInput(adminRequest, command))
  await obeyOnce(c.env, nonce)
  return c.json(await runAdminCommand(c.env, request, Date.now()))
}

/** Refuses a command that was sent before: a captured one could otherwise make a second key, or start a job once more. */
async function obeyOnce(env: Env, nonce: string): Promise<void> {
  if (await useAdminNonce(env.DB, nonce, Date.now() + signatureLifetimeMs)) return
  throw new AppError(
    'Conflict',
    'This command was already carried out. Sign it again with a new nonce.',
  )
}
