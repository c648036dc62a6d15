import type { Context } from 'hono'
import { readSettings } from '../../settings.ts'
import type { AppEnv } from '../app-env.ts'
import { serviceVersion } from '../health.ts'
import { describeApi } from '../openapi/document.ts'
import { ReferencePage } from './reference-page.tsx'
import { css } from './style.ts'

let made: { baseUrl: string; html: string; policy: string } | undefined

/** Nothing may be loaded and nothing may run: one style, known by its hash, and the icon in the page itself. */
async function policyOf(style: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style))
  const hash = btoa(String.fromCharCode(...new Uint8Array(digest)))
  return [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** GET /docs */
export async function serveDocs(c: Context<AppEnv>): Promise<Response> {
  const { baseUrl } = readSettings(c.env)
  if (made?.baseUrl !== baseUrl) {
    const page = <ReferencePage document={describeApi(serviceVersion, baseUrl)} css={css} />
    made = { baseUrl, html: `<!doctype html>${String(await page)}`, policy: await policyOf(css) }
  }
  return c.html(made.html, 200, {
    'Cache-Control': 'public, max-age=300',
    'Content-Security-Policy': made.policy,
  })
}
