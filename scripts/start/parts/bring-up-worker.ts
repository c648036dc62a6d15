import path from 'node:path'
import { ensureBuilt } from '../../host/ensure-built.ts'
import { fireCron } from '../../host/fire-cron.ts'
import { root, wranglerCli } from '../../machine/checkout.ts'
import { writeDevConfig } from '../dev-config.ts'
import { baseUrlOf, serviceMarker } from './part-environments.ts'
import type { ServiceRun } from '../run.ts'
import type { Service } from '../service.ts'
import type { Watched } from './watch-part.ts'
import { workerPlan, workerName } from './worker-part.ts'
import { quietWrangler } from '../../machine/quiet-wrangler.ts'
import type { PartPlan } from './part.ts'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { StopWithMessage } from '../../machine/stop-with-message.ts'
import type { DataDirectory } from '../data/data-directory.ts'

type Say = (line: string) => void

/**
 * Prepares and starts the Worker in the requested mode. Returns what to watch; nothing if a person starts it by hand.
 */
export async function bringUpWorker(
  run: ServiceRun,
  service: Service,
  say: Say,
  stop: AbortSignal,
): Promise<Watched | undefined> {
  // For `npm run dev`, and for a `wrangler dev` that somebody starts by hand.
  writeDevConfig({
    source: path.join(root, 'wrangler.toml'),
    file: run.data.devConfig,
    ...(run.host && { dockerfile: run.host.dockerfile }),
    s3: {
      accessKeyId: run.secrets.s3AccessKeyId,
      secretAccessKey: run.secrets.s3SecretAccessKey,
    },
  })
  if (run.mode === 'server') return bringUpServer(run, service, say, stop)
  await migrateWithWrangler(run.data, stop)
  if (stop.aborted) return undefined
  const cron = fireCron(
    async () => runScheduled(baseUrlOf(run.settings)),
    (fault) => run.settings.SPOOL_VERBOSE && say(`[cron] ${fault}`),
  )
  stop.addEventListener('abort', cron.stop)
  if (run.mode !== 'dev-by-hand') {
    return service.startWorker((onLine) => devWorkerPlan(run, onLine), cron.now)
  }
  const command = devArguments(run).map((word) =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word}'`,
  )
  say(`\nStart the Worker in another terminal:\n\n  npx wrangler ${command.join(' ')}\n`)
  return undefined
}

async function bringUpServer(
  run: ServiceRun,
  service: Service,
  say: Say,
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

/** Calls the address that `wrangler dev` has for this, because it fires no cron by itself. */
async function runScheduled(baseUrl: string): Promise<void> {
  const response = await fetch(
    `${baseUrl}/cdn-cgi/local/scheduled?cron=${encodeURIComponent('* * * * *')}`,
    { signal: AbortSignal.timeout(55_000) },
  )
  await response.body?.cancel()
  if (!response.ok) throw new Error(`The scheduled run was answered with ${response.status}`)
}

/** The arguments of `wrangler dev`; a person who runs it by hand uses the same. */
function devArguments({ settings, data }: ServiceRun): string[] {
  return [
    ...['dev', '--config', data.devConfig, '--env-file', data.workerEnv],
    ...['--persist-to', data.state, '--ip', settings.HOST, '--port', String(settings.PORT)],
  ]
}

/** `wrangler dev`: bundles again whenever a source changes, and listens for a debugger. */
function devWorkerPlan(run: ServiceRun, onLine: (line: string) => void): PartPlan {
  return {
    name: workerName,
    command: process.execPath,
    args: [
      ...['--no-warnings', wranglerCli, ...devArguments(run)],
      ...['--inspector-port', String(run.ports.inspector)],
      '--show-interactive-dev-session=false',
    ],
    cwd: root,
    env: { ...quietWrangler(run.data.wrangler), ...run.host?.env, [serviceMarker]: run.data.base },
    onLine,
    stops: 'group',
    stopSignal: 'SIGTERM',
  }
}

/**
 * Applies new migrations before `wrangler dev` starts. The server reads migrations from the built Worker, but a Worker
 * that is being changed may not build at all.
 */
async function migrateWithWrangler(data: DataDirectory, signal: AbortSignal): Promise<void> {
  const apply = ['d1', 'migrations', 'apply', 'DB', '--local', '--persist-to', data.state]
  try {
    await promisify(execFile)(
      process.execPath,
      ['--no-warnings', wranglerCli, ...apply, '--config', data.devConfig],
      { cwd: root, env: quietWrangler(data.wrangler), signal, maxBuffer: 2 ** 26 },
    )
  } catch (error) {
    if (signal.aborted) return
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
    throw new StopWithMessage(`The migrations failed:\n\n${said.trim()}`)
  }
}
