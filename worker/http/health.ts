import type { Context } from 'hono'
import { judgeDisk, type DiskRoom } from '../contract/job/disk-space.ts'
import type { Health, HealthCheck } from '../contract/answers/health.ts'
import { mediaWorkerHealth } from '../contract/job/media-job.ts'
import { serviceVersion } from '../contract/service-version.ts'
import { withinMs } from '../contract/within-ms.ts'
import { readDiskRoom, sayDisk } from '../service/limits/disk-room.ts'
import { dispatcher, type ContainerFault } from '../service/line/dispatching.ts'
import { judgeFill, sayFill } from '../service/limits/database-fill.ts'
import { isolateMemory } from '../contract/isolate-memory.ts'
import { describeError, log } from '../service/log.ts'
import { readSettings, type Env } from '../settings.ts'
import { presentDatabaseFaults } from '../store/database-faults.ts'
import { refusesWrites } from '../store/objects/objects.ts'
import type { AppEnv } from './app-env.ts'

/** A check may take this long, because in a busy service it waits in line like all other work. */
const checkTimeoutMs = 5000
/** After this time, a request is answered with an earlier result if a recent one exists. */
const patienceMs = 1000
const staleForMs = 30_000
const sharedForMs = 10_000
/** A fault is shared for less time, so that recovery shows soon. */
const faultSharedForMs = 2000

/**
 * All requests share one answer for a while: health is asked for often and must not cause load, least of all on a part
 * that fails. A request that finds it old starts new checks. If these take long, it gets the former answer, and the next
 * request the new one. The answer is shared instead of its promise, because a request must not wait for the I/O of another
 * one, which may be cut off.
 */
type Shared = { at: number; until: number; health: Health }
const shared = isolateMemory<Shared | undefined>(() => undefined)
/** When the checks that are running began. */
const looking = isolateMemory<number | undefined>(() => undefined)

/** `sayMore`: a message for the operator about a part that is well. */
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
async function anyMediaWorker(urls: readonly string[]): Promise<DiskRoom> {
  return Promise.any(
    urls.map(async (url) => {
      const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(checkTimeoutMs) })
      return mediaWorkerHealth.parse(await response.json()).disk
    }),
  )
}

/** Containers start only for jobs, so only the experience of the last jobs can be told. */
async function checkContainers(env: Env): Promise<[string, HealthCheck]> {
  const asked = { fault: undefined as ContainerFault | undefined }
  const said = await check('mediaWorkers', 'the line of jobs does not answer', async () => {
    asked.fault = await dispatcher(env).containerFault()
  })
  if (!asked.fault) return said
  const { refused, said: reason } = asked.fault
  const message = `containers cannot start: refused ${refused} times in a row: ${reason}`
  return ['mediaWorkers', { status: 'failing', message }]
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
  checks.push(
    mediaWorkers.urls.length > 0
      ? check(
          'mediaWorkers',
          'no media worker answers',
          () => anyMediaWorker(mediaWorkers.urls),
          sayScratch,
        )
      : checkContainers(env),
  )
  const results = Object.fromEntries(await Promise.all(checks))
  const failing = Object.values(results).some((result) => result.status === 'failing')
  return { status: failing ? 'failing' : 'ok', version: serviceVersion, checks: results }
}

type WaitUntil = Pick<ExecutionContext, 'waitUntil'>

export async function readSharedHealth(env: Env, now: number, context: WaitUntil): Promise<Health> {
  const { current } = shared
  if (current && now < current.until) return withFaultsOfRequests(current.health, now)
  const former = current && now - current.at < staleForMs ? current.health : undefined
  const isLooking = looking.current !== undefined && now - looking.current < checkTimeoutMs
  if (former && isLooking) return withFaultsOfRequests(former, now)
  looking.current = now
  const look = examine(env).then((health) => {
    const forMs = health.status === 'ok' ? sharedForMs : faultSharedForMs
    shared.current = { at: now, until: now + forMs, health }
    looking.current = undefined
    return health
  })
  context.waitUntil(look)
  const health = former ? await Promise.race([look, afterPatience(former)]) : await look
  return withFaultsOfRequests(health, now)
}

async function afterPatience(former: Health): Promise<Health> {
  await scheduler.wait(patienceMs)
  return former
}

/** Adds the faults that requests and the sweep have met: the checks themselves only read, and little. */
function withFaultsOfRequests(health: Health, now: number): Health {
  const codes = presentDatabaseFaults(now)
  const told =
    codes.length === 0
      ? health
      : withFault(health, 'database', `D1 answers with errors: ${codes.join(', ')}`)
  return refusesWrites(now)
    ? withFault(told, 'storage', 'R2 does not take what is written to it')
    : told
}

function withFault(health: Health, name: string, message: string): Health {
  if (health.checks[name]?.status === 'failing') return health
  const checks = { ...health.checks, [name]: { status: 'failing', message } as const }
  return { ...health, status: 'failing', checks }
}

/** GET /health */
export async function getHealth(c: Context<AppEnv>): Promise<Response> {
  const health = await readSharedHealth(c.env, Date.now(), c.executionCtx)
  if (health.status === 'ok') return c.json(health)
  c.header('Retry-After', '10')
  return c.json(health, 503)
}
