import type { Context } from 'hono'
import { describeApi } from '../../reference/openapi/document.ts'
import { readSettings } from '../../settings.ts'
import type { AppEnv } from '../app-env.ts'
import { serviceVersion } from '../../contract/service-version.ts'

let made: { baseUrl: string; text: string } | undefined

/** GET /openapi.json */
export function getOpenapi(c: Context<AppEnv>): Response {
  const { baseUrl } = readSettings(c.env)
  if (made?.baseUrl !== baseUrl) {
    made = { baseUrl, text: JSON.stringify(describeApi(serviceVersion, baseUrl)) }
  }
  return c.body(made.text, 200, {
    'Content-Type': 'application/json',
    'Cache-Control': 'public, max-age=300',
    // Public and without a key, so that tools in browsers may read it.
    'Access-Control-Allow-Origin': '*',
    'Cross-Origin-Resource-Policy': 'cross-origin',
  })
}
