import { freePort } from '../../test/support/node/free-port.ts'
import { RunningService } from '../../test/support/node/service.ts'
import type { Run } from '../benchmark.ts'
import { rateLimits } from './hosted-worker.ts'

/** The service as `npm start` runs it, with one media worker and without a past. */
export async function startService(
  { folder, atEnd }: Run,
  more: Readonly<Record<string, string>> = {},
): Promise<RunningService> {
  const settings = { RATE_LIMITS: rateLimits, MEDIA_WORKERS: '1', ...more }
  const service = await RunningService.start({ port: await freePort(), dataDir: folder }, settings)
  atEnd(async () => service.stop())
  return service
}

/** The answer to a GET, or to a POST of JSON; it must succeed. */
export async function ask(
  service: RunningService,
  pathname: string,
  json?: object,
): Promise<unknown> {
  const response = await service.request(pathname, json && { json })
  if (!response.ok) throw new Error(`${pathname} answered ${response.status}`)
  return response.json()
}
