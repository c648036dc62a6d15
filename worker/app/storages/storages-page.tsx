import type { Context } from 'hono'
import { saveStorage } from '../../command/save-storage.ts'
import { AppError, invalidRequest } from '../../contract/answers/errors.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { describeStorage } from '../../http/storages.ts'
import { storageNotFound } from '../../service/storages/storage-secret.ts'
import { storageRows } from '../../store/named-rows.ts'
import { readForm, fieldText } from '../session/read-form.ts'
import type { PageContent } from '../design/app-page.tsx'
import { sendPage } from '../send-page.ts'
import { memberOf } from '../session/require-member.ts'
import { doneTexts, StoragesView, storagesStyle, type StorageWish } from './storages-view.tsx'

/** GET /app/storages. With `change`, the form is filled in from that storage. */
export async function showStorages(c: Context<AppEnv>): Promise<Response> {
  return showPage(c)
}

/** POST /app/storages */
export async function postStorage(c: Context<AppEnv>): Promise<Response> {
  const form = await readForm(c)
  if (form.get('change') === 'delete') return removeStorage(c, form)
  const { accountId } = memberOf(c)
  const { name, secretAccessKey, ...rest } = Object.fromEntries(
    fields.map((field) => [field, fieldText(form, field)]),
  )
  const given = Object.entries({ ...rest, secretAccessKey }).filter(
    ([, text]) => text !== undefined,
  )
  const wish = { ...rest, name }
  try {
    const body = Object.fromEntries(given)
    await saveStorage(c.env, { accountId, name, body, now: Date.now() })
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    const { details, message } = error
    return showPage(c, { ...wish, faults: details ?? [{ field: 'storageName', message }] })
  }
  return c.redirect('/app/storages?done=saved', 303)
}

const fields = [
  ...['name', 'endpoint', 'region', 'bucket', 'prefix', 'addressing'],
  ...['accessKeyId', 'secretAccessKey'],
]

async function removeStorage(c: Context<AppEnv>, form: URLSearchParams): Promise<Response> {
  const name = fieldText(form, 'name')
  if (name === undefined) throw invalidRequest([{ field: 'name', message: 'Required' }])
  if (!(await storageRows.delete(c.env.DB, memberOf(c).accountId, name))) throw storageNotFound()
  return c.redirect('/app/storages?done=deleted', 303)
}

async function showPage(c: Context<AppEnv>, entered?: StorageWish): Promise<Response> {
  const rows = await storageRows.list(c.env.DB, memberOf(c).accountId)
  const storages = rows.map(describeStorage)
  const kept = storages.find(({ name }) => name === c.req.query('change'))
  const wish: StorageWish = entered ?? { ...kept, faults: [] }
  const shown: PageContent = {
    title: 'Storages',
    said: doneTexts[c.req.query('done') ?? ''],
    section: 'storages',
    style: storagesStyle,
    children: <StoragesView {...{ storages, wish, now: Date.now() }} />,
  }
  return sendPage(c, shown, wish.faults.length > 0 ? 400 : 200)
}
