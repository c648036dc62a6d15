import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { root, wranglerCli } from '../../scripts/machine/checkout.ts'
import { freePorts } from '../../scripts/machine/ports.ts'
import { writeFileAtomically } from '../../scripts/machine/write-file.ts'
import { createDataDirectory } from '../../scripts/start/data-directory.ts'
import {
  envFileText,
  workerVariables,
  wranglerVariables,
} from '../../scripts/start/part-environments.ts'
import { workerPlan, type Run } from '../../scripts/start/parts.ts'
import { ensureSecrets } from '../../scripts/start/secrets.ts'
import { readSettings } from '../../scripts/start/settings.ts'
import { writeDevConfig } from './dev-config.ts'
import { DevWorker } from './dev-worker.ts'

/** So many that none of the requests of a run is refused; two windows, as by default. */
const rateLimits = '900000000/60,900000000/3600'

const runFile = promisify(execFile)

type SidePlan = {
  name: string
  source: string
  main?: string
  folder: string
  /** A path that is answered as soon as the Worker is there. */
  readyPath: string
  /** Beside those of the service, which the bare Worker gets as well. */
  variables?: Readonly<Record<string, string>>
}

export type Side = { worker: DevWorker; run: Run }

/** Starts a Worker as `npm start` starts the service's, with a database of its own, and nothing beside it. */
export async function startSide(
  plan: SidePlan,
  stop: AbortSignal,
  onStart: (worker: DevWorker) => void,
): Promise<Side> {
  const [port] = await freePorts(1)
  if (port === undefined) throw new Error('no free port')
  const settings = readSettings({
    PORT: String(port),
    SPOOL_DATA_DIR: plan.folder,
    RATE_LIMITS: rateLimits,
  })
  const data = createDataDirectory(plan.folder)
  const run: Run = { settings, data, secrets: ensureSecrets(data.secrets) }
  // No media worker: a job that is dispatched finds no capacity and waits.
  const variables = { ...workerVariables(settings, run.secrets, []), ...plan.variables }
  writeFileAtomically(data.workerEnv, envFileText(variables), 0o600)
  const config = writeDevConfig({ ...plan, folder: path.join(plan.folder, 'config') })
  await migrate(run, config, stop)
  const { command, args, env } = workerPlan(run, () => undefined)
  // What the killed leave behind goes with the folder.
  const ownEnv = { ...env, TMPDIR: plan.folder }
  const logFile = path.join(data.logs, 'worker.log')
  const ownArgs = args.map((arg) => (arg === path.join(root, 'wrangler.toml') ? config : arg))
  const worker = new DevWorker(
    { name: plan.name, command, args: ownArgs, cwd: plan.folder, env: ownEnv, logFile },
    port,
  )
  onStart(worker)
  await worker.ready(plan.readyPath, stop)
  return { worker, run }
}

async function migrate({ data }: Run, config: string, signal: AbortSignal): Promise<void> {
  const apply = ['d1', 'migrations', 'apply', 'DB', '--local', '--persist-to', data.state]
  const args = ['--no-warnings', wranglerCli, ...apply, '--config', config]
  await runFile(process.execPath, args, { cwd: data.base, env: wranglerVariables(data), signal })
}
