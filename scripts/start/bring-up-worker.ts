import path from 'node:path'
import { ensureBuilt } from '../host/ensure-built.ts'
import { fireCron } from '../host/fire-cron.ts'
import { root } from '../machine/checkout.ts'
import { writeDevConfig } from './dev-config.ts'
import { devWorkerPlan } from './dev-worker-part.ts'
import { migrateWithWrangler } from './migrate-with-wrangler.ts'
import { baseUrlOf } from './part-environments.ts'
import type { Run } from './run.ts'
import type { Service } from './service.ts'
import type { Watched } from './watch-worker.ts'
import { workerPlan } from './worker-part.ts'

/** Prepares and starts the Worker in the way that was asked for; undefined when it is to stop already. */
export async function bringUpWorker(
  run: Run,
  service: Service,
  say: (line: string) => void,
  stop: AbortSignal,
): Promise<Watched | undefined> {
  // For `npm run dev`, and for a `wrangler dev` that somebody starts by hand.
  writeDevConfig({
    source: path.join(root, 'wrangler.toml'),
    file: run.data.devConfig,
    s3: {
      accessKeyId: run.secrets.s3AccessKeyId,
      secretAccessKey: run.secrets.s3SecretAccessKey,
    },
  })
  return run.mode === 'server'
    ? bringUpServer(run, service, say, stop)
    : bringUpDev(run, service, say, stop)
}

async function bringUpServer(
  run: Run,
  service: Service,
  say: (line: string) => void,
  stop: AbortSignal,
): Promise<Watched | undefined> {
  try {
    const built = await ensureBuilt(say, stop)
    return service.startWorker((onLine) => workerPlan(run, built, onLine))
  } catch (error) {
    if (stop.aborted) return undefined
    throw error
  }
}

async function bringUpDev(
  run: Run,
  service: Service,
  say: (line: string) => void,
  stop: AbortSignal,
): Promise<Watched | undefined> {
  await migrateWithWrangler(run.data, stop)
  if (stop.aborted) return undefined
  const cron = fireCron(
    async () => runScheduled(baseUrlOf(run.settings)),
    (fault) => run.settings.SPOOL_VERBOSE && say(`[cron] ${fault}`),
  )
  stop.addEventListener('abort', cron.stop)
  return service.startWorker((onLine) => devWorkerPlan(run, onLine), cron.now)
}

/** The address that `wrangler dev` has for this: it fires no cron by itself. */
async function runScheduled(baseUrl: string): Promise<void> {
  const response = await fetch(
    `${baseUrl}/cdn-cgi/local/scheduled?cron=${encodeURIComponent('* * * * *')}`,
    { signal: AbortSignal.timeout(55_000) },
  )
  await response.body?.cancel()
  if (!response.ok) throw new Error(`The scheduled run was answered with ${response.status}`)
}
