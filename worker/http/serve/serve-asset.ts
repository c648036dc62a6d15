import type { Context } from 'hono'
import type { AppEnv } from '../app-env.ts'

/** Serves the static files in worker/public. */
export async function serveAsset(c: Context<AppEnv>): Promise<Response> {
  const asset = await c.env.ASSETS.fetch(c.req.raw)
  // A fetched answer cannot be changed, and headers are still to be added.
  return new Response(asset.body, asset)
}
