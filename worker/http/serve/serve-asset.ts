import type { Context } from 'hono'
import type { AppEnv } from '../app-env.ts'

/** Serves the static files in worker/public. */
export async function serveAsset(c: Context<AppEnv>): Promise<Response> {
  const asset = await c.env.ASSETS.fetch(c.req.raw)
  // A fetched answer cannot be changed, and headers are still to be added.
  const copy = new Response(asset.body, asset)
  // No type is known for its name.
  if (c.req.path.endsWith('.tgz')) copy.headers.set('Content-Type', 'application/gzip')
  return copy
}
