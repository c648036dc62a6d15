import type { Context } from 'hono'
import { judgeDisk, type DiskRoom } from '../contract/disk-space.ts'
import type { Health, HealthCheck } from '../contract/health.ts'
import { mediaWorkerHealth } from '../contract/media-job.ts'
import { serviceVersion } from '../contract/service-version.ts'
import { withinMs } from '../contract/within-ms.ts'
import { readDiskRoom, sayDisk } from '../service/disk-room.ts'
import { judgeFill, sayFill } from '../service/database-fill.ts'
import { isolateMemory } from '../service/isolate-memory.ts'
import { describeError, log } from '../service/log.ts'
import { readSettings, type Env } from '../settings.ts'
import type { AppEnv } from './app-env.ts'

const checkTimeoutMs = 2000
const sharedForMs = 10_000
/** A fault is shared for less time, so that recovery shows soon. */
const faultSharedForMs = 2000

/**
 * All requests share one answer for a while: health is asked often and must not cause load, least of all on a part that
 * fails. The answer is shared instead of its promise, because a request must not wait for the I/O of another one, which
 * may be cut off.
 */
const shared = isolateMemory<{ until: number; health: Health } | undefined>(() => undefined)

/** `sayMore`: what the operator has to know although the part is well. */
async function check<Answer>(
  name: string,
  fault: string,
  work: () => Promise<Answer>,
  sayMore: (answer: Answer) => string | undefined = () => undefined,
) {
  try {
    const message = sayMore(await withinMs(checkTimeoutMs, work()))
    const told = message === undefined ? {} : { message }
    return [name, { status: 'ok', ...told }] satisfies [string, HealthCheck]
  } catch (error) {
    log('error', 'health check failed', { check: name, ...describeError(error) })
    return [name, { status: 'failing', message: fault }] satisfies [string, HealthCheck]
  }
}

/** One reachable worker is enough, and a busy one is healthy. */
async function askMediaWorkers(urls: readonly string[]): Promise<DiskRoom> {
  return Promise.any(
    urls.map(async (url) => {
      const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(checkTimeoutMs) })
      return mediaWorkerHealth.parse(await response.json()).disk
    }),
  )
}

function sayScratch(room: DiskRoom): string | undefined {
  if (judgeDisk(room) === 'roomy') return undefined
  return 'A media worker has too little disk space for new jobs; they wait'
}

async function examine(env: Env): Promise<Health> {
  const { mediaWorkers, mostDatabaseBytes } = readSettings(env)
  const checks: Promise<[string, HealthCheck]>[] = [
    check(
      'database',
      'D1 does not answer',
      () => env.DB.prepare('SELECT 1 FROM accounts LIMIT 1').all(),
      ({ meta }) => sayFill(judgeFill(meta.size_after, mostDatabaseBytes)),
    ),
    check('storage', 'R2 does not answer', () => env.BUCKET.head('health')),
  ]
  if (env.DISK) {
    const ask = async () => readDiskRoom(env, Date.now())
    checks.push(check('disk', 'the host does not say how full the disk is', ask, sayDisk))
  }
  // Containers are started per job; there is nothing to ask before there is a job.
  if (mediaWorkers.urls.length > 0) {
    checks.push(
      check(
        'mediaWorkers',
        'no media worker answers',
        () => askMediaWorkers(mediaWorkers.urls),
        sayScratch,
      ),
    )
  }
  const results = Object.fromEntries(await Promise.all(checks))
  const failing = Object.values(results).some((result) => result.status === 'failing')
  return { status: failing ? 'failing' : 'ok', version: serviceVersion, checks: results }
}

export async function readSharedHealth(env: Env, now: number): Promise<Health> {
  const { current } = shared
  if (current && now < current.until) return current.health
  const health = await examine(env)
  const forMs = health.status === 'ok' ? sharedForMs : faultSharedForMs
  shared.current = { until: now + forMs, health }
  return health
}

/** GET /health */
export async function readHealth(c: Context<AppEnv>): Promise<Response> {
  const health = await readSharedHealth(c.env, Date.now())
  if (health.status === 'ok') return c.json(health)
  c.header('Retry-After', '10')
  return c.json(health, 503)
}
