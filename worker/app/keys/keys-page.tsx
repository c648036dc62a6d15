import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { describeKey, issueKey, revokeKey } from '../../command/api-keys.ts'
import { AppError } from '../../contract/answers/errors.ts'
import { keyId as keyIdSchema } from '../../contract/ids.ts'
import {
  createKey as createBody,
  type IssuedKey,
  type KeyRecord,
} from '../../contract/people/key-record.ts'
import { limits } from '../../contract/limits.ts'
import { parseInput } from '../../contract/input/parse-input.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { readSettings } from '../../settings.ts'
import { findApiKey, listAccountKeys, type ApiKeyRow } from '../../store/people/api-keys.ts'
import { ButtonLink } from '../design/button.tsx'
import { readForm, fieldText } from '../session/read-form.ts'
import { sendPage } from '../send-page.ts'
import type { PageContent } from '../design/app-page.tsx'
import { memberOf } from '../session/require-member.ts'
import { KeysView, keysStyle, nameOf, RevokeView, type KeyWish } from './keys-view.tsx'

const noWish: KeyWish = { name: '', scopes: ['videos:read', 'videos:write'], end: '', faults: [] }

/** GET /app/keys */
export async function showKeys(c: Context<AppEnv>): Promise<Response> {
  return showPage(c, { wish: noWish })
}

/** POST /app/keys. Only this answer has the key, so it does not redirect. */
export async function postKey(c: Context<AppEnv>): Promise<Response> {
  const form = await readForm(c)
  const { accountId } = memberOf(c)
  const end = fieldText(form, 'expiresAt')
  const asked = {
    name: fieldText(form, 'name'),
    scopes: form.getAll('scopes'),
    // A key that ends on a day is good until the day is over.
    expiresAt: end === undefined ? undefined : `${end}T23:59:59Z`,
  }
  const wish = { name: asked.name ?? '', scopes: asked.scopes, end: end ?? '' }
  const parsed = parseInput(createBody, asked)
  if (!parsed.ok) return showPage(c, { wish: { ...wish, faults: parsed.faults } }, 400)
  try {
    const issued = await issueKey(c.env, { ...parsed.value, accountId }, Date.now())
    return await showPage(c, { wish: noWish, issued }, 201)
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    const { details, message, status } = error
    return showPage(c, { wish: { ...wish, faults: details ?? [{ field: '', message }] } }, status)
  }
}

/** GET /app/keys/{keyId}/revoke: asks for confirmation where no script can open a dialog. */
export async function confirmRevoking(c: Context<AppEnv>): Promise<Response> {
  const key = describeKey(await requireKey(c))
  return sendPage(c, {
    title: 'Revoke a key',
    heading: `Revoke ${nameOf(key)}?`,
    back: { label: 'Keys', href: '/app/keys' },
    section: 'keys',
    children: <RevokeView record={key} now={Date.now()} />,
  })
}

/** POST /app/keys/{keyId}/revoke */
export async function postRevoking(c: Context<AppEnv>): Promise<Response> {
  const key = await requireKey(c)
  await revokeKey(c.env, key, Date.now())
  return c.redirect(`/app/keys?done=${key.id}`, 303)
}

async function requireKey(c: Context<AppEnv>): Promise<ApiKeyRow> {
  const id = keyIdSchema.safeParse(c.req.param('keyId')).data
  const key = id === undefined ? undefined : await findApiKey(c.env.DB, id)
  if (key?.accountId !== memberOf(c).accountId) throw new AppError('NotFound', 'API key not found.')
  return key
}

async function showPage(
  c: Context<AppEnv>,
  { wish, issued }: { wish: KeyWish; issued?: IssuedKey },
  status: ContentfulStatusCode = 200,
) {
  const { accountId } = memberOf(c)
  const { baseUrl } = readSettings(c.env)
  const rows = await listAccountKeys(c.env.DB, accountId, { limit: limits.listPageSize })
  const now = Date.now()
  const keys: KeyRecord[] = rows.map(describeKey)
  const done = keys.find(({ keyId }) => keyId === c.req.query('done'))
  const said = done?.revokedAt
    ? `${nameOf(done)} has been revoked. Requests with it are refused from now on.`
    : undefined
  const shown: PageContent = {
    title: 'Keys',
    actions: <ButtonLink href="#new-key">New key</ButtonLink>,
    said,
    section: 'keys',
    style: keysStyle,
    children: <KeysView {...{ keys, wish, issued, baseUrl, now }} />,
  }
  return sendPage(c, shown, status)
}
