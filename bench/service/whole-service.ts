import { freePort } from '../../test/support/node/free-port.ts'
import { RunningService } from '../../test/support/node/service.ts'
import type { Run } from '../benchmark.ts'
import { rateLimits } from './hosted-worker.ts'

/** Starts the service as `npm start` does, with one media worker and empty data. */
export async function startService(
  { folder, atEnd }: Run,
  more: Readonly<Record<string, string>> = {},
): Promise<RunningService> {
  const settings = { RATE_LIMITS: rateLimits, MEDIA_WORKERS: '1', ...more }
  const service = await RunningService.start({ port: await freePort(), dataDir: folder }, settings)
  atEnd(async () => service.stop())
  return service
}

/** Sends a GET or a POST of JSON, which must succeed, and returns the answer. */
export async function ask(
  service: RunningService,
  pathname: string,
  json?: object,
): Promise<unknown> {
  const response = await service.request(pathname, json && { json })
  if (!response.ok) throw new Error(`${pathname} answered ${response.status}`)
  return response.json()
}
