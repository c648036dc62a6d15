import type { Context } from 'hono'
import { adminRequest } from '../contract/admin.ts'
import { AppError, invalidRequest } from '../contract/errors.ts'
import { listFaults } from '../contract/faults.ts'
import { limits } from '../contract/limits.ts'
import { parseJsonBody } from '../contract/read-json.ts'
import { signatureHeader, verifyMessage } from '../contract/signature.ts'
import { runAdminCommand } from '../durable/administer.ts'
import { readSettings } from '../settings.ts'
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
  const request = adminRequest.safeParse(body.value)
  if (!request.success) throw invalidRequest(listFaults(request.error, body.value))
  return c.json(await runAdminCommand(c.env, request.data, Date.now()))
}
