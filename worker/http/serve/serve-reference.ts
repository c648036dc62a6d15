import type { Context } from 'hono'
import { renderReference } from '../../reference/docs/render-reference.tsx'
import { describeApi } from '../../reference/openapi/document.ts'
import type { Page } from '../../reference/pages/page.ts'
import { readSettings } from '../../settings.ts'
import type { AppEnv } from '../app-env.ts'
import { serviceVersion } from '../../contract/service-version.ts'

let made: { baseUrl: string; page: Page } | undefined

/** GET /docs/reference */
export async function serveReference(c: Context<AppEnv>): Promise<Response> {
  const { baseUrl } = readSettings(c.env)
  if (made?.baseUrl !== baseUrl) {
    made = { baseUrl, page: await renderReference(describeApi(serviceVersion, baseUrl)) }
  }
  return c.html(made.page.html, 200, {
    'Cache-Control': 'public, max-age=300',
    'Content-Security-Policy': made.page.policy,
  })
}
