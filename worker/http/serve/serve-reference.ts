import type { Context } from 'hono'
import { AppError } from '../../contract/answers/errors.ts'
import { serviceVersion } from '../../contract/service-version.ts'
import { renderReference } from '../../reference/docs/render-reference.tsx'
import { describeApi } from '../../reference/openapi/document.ts'
import type { Document } from '../../reference/openapi/openapi-types.ts'
import { readSettings } from '../../settings.ts'
import type { AppEnv } from '../app-env.ts'

let described: { baseUrl: string; document: Document } | undefined

/** GET /docs/reference and /docs/reference/{name} */
export async function serveReference(c: Context<AppEnv>): Promise<Response> {
  const { baseUrl } = readSettings(c.env)
  if (described?.baseUrl !== baseUrl) {
    described = { baseUrl, document: describeApi(serviceVersion, baseUrl) }
  }
  const page = await renderReference(described.document, c.req.param('name') ?? '')
  if (!page) throw new AppError('NotFound')
  return c.html(page.html, 200, {
    'Cache-Control': 'public, max-age=300',
    'Content-Security-Policy': page.policy,
  })
}
