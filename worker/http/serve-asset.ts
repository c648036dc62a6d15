import type { Context } from 'hono'
import type { AppEnv } from './app-env.ts'

/** The few files that are the same for everybody, from worker/public. */
export async function serveAsset(c: Context<AppEnv>): Promise<Response> {
  const asset = await c.env.ASSETS.fetch(c.req.raw)
  // What a fetch brings is frozen; headers are still to come.
  return new Response(asset.body, asset)
}
