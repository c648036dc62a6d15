import type { Context } from 'hono'
import { invalidRequest } from '../contract/answers/errors.ts'
import type { AppEnv } from '../http/app-env.ts'
import { readText } from '../http/read-body.ts'

const mostBytes = 65_536

/** The fields that a page's form posted. Browsers encode a form like this unless it has a file. */
export async function readForm(c: Context<AppEnv>): Promise<URLSearchParams> {
  const type = c.req.header('Content-Type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded') {
    const message = 'Must be application/x-www-form-urlencoded, as forms send it'
    throw invalidRequest([{ field: 'Content-Type', message }])
  }
  return new URLSearchParams(await readText(c.req.raw, mostBytes))
}

/** The text of a field; undefined if it is empty. */
export function fieldText(form: URLSearchParams, name: string): string | undefined {
  const text = form.get(name)?.trim()
  return text === '' ? undefined : text
}
