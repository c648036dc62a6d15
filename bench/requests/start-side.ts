import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { root } from '../../scripts/machine/checkout.ts'
import { emptyFolder } from '../../scripts/machine/empty-folder.ts'
import { freePorts } from '../../scripts/machine/ports.ts'
import { writeFileAtomically } from '../../scripts/machine/write-file.ts'
import { createDataDirectory } from '../../scripts/start/data/data-directory.ts'
import { writeDevConfig } from '../../scripts/start/dev-config.ts'
import { devWorkerPlan } from '../../scripts/start/parts/dev-worker-part.ts'
import { migrateWithWrangler } from '../../scripts/start/data/migrate-with-wrangler.ts'
import { envFileText, workerVariables } from '../../scripts/start/parts/part-environments.ts'
import type { Mode, Run } from '../../scripts/start/run.ts'
import { ensureSecrets } from '../../scripts/start/data/secrets.ts'
import { readSettings } from '../../scripts/start/settings.ts'
import { workerPlan } from '../../scripts/start/parts/worker-part.ts'
import { HostedWorker } from './hosted-worker.ts'

/** High enough that no request of a run is refused; two windows, as by default. */
const rateLimits = '900000000/60,900000000/3600'

type SidePlan = {
  name: string
  mode: Mode
  source: string
  main?: string
  folder: string
  /** A path that is answered once the Worker is up. */
  readyPath: string
  /** In addition to the variables of the service, which the bare Worker gets as well. */
  variables?: Readonly<Record<string, string>>
}

export type Side = { worker: HostedWorker; run: Run }

/** Starts a Worker as `npm start` or `npm run dev` starts the service's, with a database of its own. */
export async function startSide(
  plan: SidePlan,
  stop: AbortSignal,
  onStart: (worker: HostedWorker) => void,
): Promise<Side> {
  const run = await runOf(plan)
  const { data, settings, secrets } = run
  // There is no media worker, so a dispatched job finds no capacity and waits.
  const variables = { ...workerVariables(run, []), ...plan.variables }
  writeFileAtomically(data.workerEnv, envFileText(variables), 0o600)
  writeDevConfig({
    source: plan.source,
    file: data.devConfig,
    s3: { accessKeyId: secrets.s3AccessKeyId, secretAccessKey: secrets.s3SecretAccessKey },
    ...(plan.main === undefined ? {} : { main: plan.main }),
  })
  emptyFolder(data.temporary)
  const { command, args, env } = await partOf(run, plan, stop)
  const worker = new HostedWorker(
    {
      name: plan.name,
      command,
      args,
      // The command of [build] is relative to the checkout.
      cwd: root,
      // Files that killed processes leave behind are deleted with the folder.
      env: { ...env, TMPDIR: data.temporary },
      logFile: path.join(data.logs, 'worker.log'),
    },
    settings.PORT,
  )
  onStart(worker)
  await worker.ready(plan.readyPath, stop)
  return { worker, run }
}

async function runOf({ mode, folder }: SidePlan): Promise<Run> {
  const [port = 0, entry = 0, loopback = 0, inspector = 0] = await freePorts(4)
  const settings = readSettings({
    PORT: String(port),
    SPOOL_DATA_DIR: folder,
    RATE_LIMITS: rateLimits,
  })
  const data = createDataDirectory(folder)
  const ports = { entry, loopback, inspector }
  const own = { ports: [port], hosts: [] }
  const secrets = ensureSecrets(data.secrets)
  return { mode, settings, tellsSecrets: false, data, secrets, ports, own }
}

async function partOf(run: Run, plan: SidePlan, stop: AbortSignal) {
  const quiet = () => undefined
  if (run.mode === 'dev') {
    await migrateWithWrangler(run.data, stop)
    const part = devWorkerPlan(run, quiet)
    // Runs without an inspector, through which every log line would pass: the comparison is about serving requests.
    return { ...part, env: { ...part.env, VSCODE_INSPECTOR_OPTIONS: '{}' } }
  }
  const built = path.join(plan.folder, 'built')
  const migrations = path.join(path.dirname(plan.source), 'migrations')
  const build = [path.join(root, 'scripts/host/build.ts'), built, run.data.devConfig, migrations]
  await promisify(execFile)(process.execPath, build, { signal: stop, maxBuffer: 2 ** 26 })
  return workerPlan(run, built, quiet)
}
