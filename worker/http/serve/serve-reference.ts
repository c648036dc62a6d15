import type { Context } from 'hono'
import { AppError } from '../../contract/answers/errors.ts'
import { serviceVersion } from '../../contract/service-version.ts'
import { renderReference } from '../../reference/docs/reference-page.tsx'
import { describeApi } from '../../reference/openapi/document.ts'
import type { Document } from '../../reference/openapi/json-schemas.ts'
import { readSettings } from '../../settings.ts'
import type { AppEnv } from '../app-env.ts'

let described: { baseUrl: string; document: Document; text: string } | undefined

function describeOnce(c: Context<AppEnv>) {
  const { baseUrl } = readSettings(c.env)
  if (described?.baseUrl !== baseUrl) {
    const document = describeApi(serviceVersion, baseUrl)
    described = { baseUrl, document, text: JSON.stringify(document) }
  }
  return described
}

/** GET /openapi.json */
export function getOpenapi(c: Context<AppEnv>): Response {
  return c.body(describeOnce(c).text, 200, {
    'Content-Type': 'application/json',
    'Cache-Control': 'public, max-age=300',
    // Public and without a key, so that tools in browsers may read it.
    'Access-Control-Allow-Origin': '*',
    'Cross-Origin-Resource-Policy': 'cross-origin',
  })
}

/** GET /docs/reference and /docs/reference/{name} */
export async function serveReference(c: Context<AppEnv>): Promise<Response> {
  const page = await renderReference(describeOnce(c).document, c.req.param('name') ?? '')
  if (!page) throw new AppError('NotFound')
  return c.html(page.html, 200, {
    'Cache-Control': 'public, max-age=300',
    'Content-Security-Policy': page.policy,
  })
}
