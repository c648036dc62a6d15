import type { Context } from 'hono'
import { readSettings } from '../../settings.ts'
import type { AppEnv } from '../app-env.ts'
import { serviceVersion } from '../health.ts'
import { describeApi } from '../openapi/document.ts'
import { pagePolicy } from '../pages/page-policy.ts'
import { ReferencePage } from './reference-page.tsx'
import { css } from './style.ts'

let made: { baseUrl: string; html: string; policy: string } | undefined

/** GET /docs */
export async function serveDocs(c: Context<AppEnv>): Promise<Response> {
  const { baseUrl } = readSettings(c.env)
  if (made?.baseUrl !== baseUrl) {
    const page = <ReferencePage document={describeApi(serviceVersion, baseUrl)} css={css} />
    made = { baseUrl, html: `<!doctype html>${String(await page)}`, policy: await pagePolicy(css) }
  }
  return c.html(made.html, 200, {
    'Cache-Control': 'public, max-age=300',
    'Content-Security-Policy': made.policy,
  })
}
