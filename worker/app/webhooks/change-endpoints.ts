import type { Context } from 'hono'
import { webhookAddressFaults } from '../../contract/addresses/address-faults.ts'
import { AppError, invalidRequest } from '../../contract/answers/errors.ts'
import { webhookEndpointId } from '../../contract/ids.ts'
import { parseInput } from '../../contract/input/parse-input.ts'
import { createEndpoint } from '../../contract/webhooks/webhook-endpoint.ts'
import { addEndpoint, endpointNotFound } from '../../command/webhook-endpoints.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { addressPolicy } from '../../service/limits/address-policy.ts'
import { readSettings } from '../../settings.ts'
import { deleteEndpoint, updateEndpoint } from '../../store/webhooks/webhook-endpoints.ts'
import { readForm, fieldText } from '../session/read-form.ts'
import { memberOf } from '../session/require-member.ts'
import { enteredIn, showPage } from './webhooks-page.ts'

/** POST /app/webhooks/endpoints */
export async function postEndpoint(c: Context<AppEnv>): Promise<Response> {
  const form = await readForm(c)
  const url = fieldText(form, 'url')
  const description = fieldText(form, 'description')
  const types = form.getAll('eventTypes')
  const asked = { url, description, ...(types.length > 0 && { eventTypes: types }) }
  const parsed = parseInput(createEndpoint, asked)
  const faults = [
    ...(parsed.ok ? [] : parsed.faults),
    ...webhookAddressFaults('url', asked, addressPolicy(readSettings(c.env))),
  ]
  const entered = enteredIn(form)
  if (!parsed.ok || faults.length > 0) return showPage(c, { ...entered, faults })
  try {
    await addEndpoint(c.env, memberOf(c).accountId, parsed.value, Date.now())
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'Conflict') throw error
    return showPage(c, { ...entered, faults: [{ field: 'url', message: error.message }] })
  }
  return c.redirect('/app/webhooks?done=added', 303)
}

/** POST /app/webhooks/endpoints/{endpointId} */
export async function postEndpointChange(c: Context<AppEnv>): Promise<Response> {
  const form = await readForm(c)
  const id = webhookEndpointId.safeParse(c.req.param('endpointId')).data
  if (id === undefined) throw endpointNotFound()
  const { accountId } = memberOf(c)
  const now = Date.now()
  const change = changeOf(form)
  const done =
    change === 'delete'
      ? await deleteEndpoint(c.env.DB, accountId, id, now)
      : await updateEndpoint(
          c.env.DB,
          { accountId, id },
          { disabledAt: change === 'enable' ? null : now },
          now,
        )
  if (!done) throw endpointNotFound()
  return c.redirect(`/app/webhooks?done=${change === 'delete' ? 'deleted' : 'changed'}`, 303)
}

function changeOf(form: URLSearchParams): 'enable' | 'disable' | 'delete' {
  const change = form.get('change')
  if (change === 'enable' || change === 'disable' || change === 'delete') return change
  throw invalidRequest([{ field: 'change', message: 'Must be enable, disable or delete' }])
}
