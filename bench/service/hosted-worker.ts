import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { root } from '../../scripts/machine/checkout.ts'
import { emptyFolder, writeFileAtomically } from '../../scripts/machine/write-file.ts'
import { killGroup, sendSignal } from '../../scripts/machine/kill-group.ts'
import { freePorts } from '../../scripts/machine/ports.ts'
import { processorMsOfGroup } from '../../scripts/machine/process-table.ts'
import { StopWithMessage } from '../../scripts/machine/stop-with-message.ts'
import { createDataDirectory } from '../../scripts/start/data/data-directory.ts'
import { ensureSecrets } from '../../scripts/start/data/secrets.ts'
import { writeDevConfig } from '../../scripts/start/dev-config.ts'
import { ensureLocalAccount } from '../../scripts/start/local-account.ts'
import { envFileText, workerVariables } from '../../scripts/start/parts/part-environments.ts'
import { workerPlan } from '../../scripts/start/parts/worker-part.ts'
import type { ServiceRun } from '../../scripts/start/run.ts'
import { readSettings } from '../../scripts/start/settings.ts'
import { poll } from '../../test/support/node/poll.ts'
import type { Run } from '../benchmark.ts'

/** High enough that no request of a run is refused; two windows, as by default. */
export const rateLimits = '900000000/60,900000000/3600'

export type WorkerPlan = {
  name: string
  /** The wrangler.toml of the Worker. */
  source: string
  /** An entry point to use instead of the one in wrangler.toml. */
  main?: string
  /** A path that is answered once the Worker is up. */
  readyPath: string
  variables?: Readonly<Record<string, string>>
}

/** The service, with an entry of a benchmark around it. */
export function serviceWith(main: string): WorkerPlan {
  const source = path.join(root, 'wrangler.toml')
  return { name: 'the service', source, main, readyPath: '/health' }
}

const created = z.object({ videoId: z.string() })
const counted = z.object({ statements: z.number() })

/**
 * One Worker alone, hosted as `npm start` hosts the service's, with a database of its own. Without media workers, a job finds
 * no slot and waits. The processes write to a file directly: reading their lines here would take time from the benchmark, and
 * more for the side that logs more.
 */
export class HostedWorker {
  readonly baseUrl: string
  /** The process group of the runtime and its host. */
  readonly group: number
  readonly #run: ServiceRun

  private constructor(run: ServiceRun, { pid = 0 }: ChildProcess) {
    this.baseUrl = `http://127.0.0.1:${run.settings.PORT}`
    this.group = pid
    this.#run = run
  }

  /** Starts with the data that the folder has from an earlier start. */
  static async start(plan: WorkerPlan, folder: string, run: Run): Promise<HostedWorker> {
    const service = await runIn(folder)
    const built = await build(plan, service, run)
    const { command, args, env } = workerPlan(service, built, () => undefined)
    const logFile = path.join(service.data.logs, 'worker.log')
    const log = openSync(logFile, 'a')
    const stdio = ['ignore' as const, log, log]
    const child = spawn(command, args, { cwd: root, env, detached: true, stdio })
    closeSync(log)
    const worker = new HostedWorker(service, child)
    const killNow = () => sendSignal(-worker.group, 'SIGKILL')
    process.on('exit', killNow)
    run.atEnd(async () => {
      await worker.stop()
      process.off('exit', killNow)
    })
    const isUp = async () => {
      run.stop.throwIfAborted()
      if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`)
      const answer = await fetch(worker.baseUrl + plan.readyPath).catch(() => undefined)
      await answer?.body?.cancel()
      return answer !== undefined && answer.status < 500 ? true : undefined
    }
    await poll(plan.name, isUp, 60_000).catch((cause: unknown) => {
      const said = readFileSync(logFile, 'utf8').trim().split('\n').slice(-20)
      throw new StopWithMessage(`${String(cause)}\n\n${said.join('\n')}`)
    })
    return worker
  }

  /** The processor time of the runtime and its host together; NaN where /proc does not exist. */
  cpuSeconds(): number {
    return (processorMsOfGroup(this.group) ?? Number.NaN) / 1000
  }

  /** The key of the account that `npm start` creates. */
  async localKey(): Promise<string> {
    const { secrets, data } = this.#run
    const admin = { baseUrl: this.baseUrl, adminSecret: secrets.adminSecret }
    return (await ensureLocalAccount(admin, data.localAccount)).apiKey
  }

  /** Sends a request that must succeed, and returns the JSON of its answer. */
  async ask(pathname: string, { key = '', body }: { key?: string; body?: object } = {}) {
    const response = await fetch(this.baseUrl + pathname, {
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${pathname}: ${response.status} ${text}`)
    return JSON.parse(text) as unknown
  }

  /** Creates a video whose source is never fetched, and returns its id. */
  async createVideo(key: string, more: object = {}, route = '/v1/videos'): Promise<string> {
    const body = { fileUrl: 'https://media.example.com/talk.mp4', ...more }
    return created.parse(await this.ask(route, { key, body })).videoId
  }

  /** How many statements have reached the database, if the entry point counts them. */
  async countStatements(): Promise<number> {
    return counted.parse(await this.ask('/bench/statements')).statements
  }

  async stop(): Promise<void> {
    await killGroup(this.group)
  }
}

async function runIn(folder: string): Promise<ServiceRun> {
  const [port = 0, entry = 0, loopback = 0, inspector = 0] = await freePorts(4)
  const asked = { PORT: String(port), SPOOL_DATA_DIR: folder, RATE_LIMITS: rateLimits }
  const data = createDataDirectory(folder)
  return {
    ...{ mode: 'server', tellsSecrets: false, settings: readSettings(asked), data },
    ...{ secrets: ensureSecrets(data.secrets), own: { ports: [port], hosts: [] } },
    ports: { entry, loopback, inspector },
  }
}

/** Bundles the Worker, and returns the path of the bundle. */
async function build(plan: WorkerPlan, service: ServiceRun, { stop }: Run): Promise<string> {
  const { data, secrets } = service
  const variables = { ...workerVariables(service, []), ...plan.variables }
  writeFileAtomically(data.workerEnv, envFileText(variables), 0o600)
  writeDevConfig({
    ...{ source: plan.source, file: data.devConfig },
    s3: { accessKeyId: secrets.s3AccessKeyId, secretAccessKey: secrets.s3SecretAccessKey },
    ...(plan.main === undefined ? {} : { main: plan.main }),
  })
  emptyFolder(data.temporary)
  const built = path.join(data.temporary, 'built')
  const migrations = path.join(path.dirname(plan.source), 'migrations')
  const args = [path.join(root, 'scripts/host/build.ts'), built, data.devConfig, migrations]
  await promisify(execFile)(process.execPath, args, { signal: stop, maxBuffer: 2 ** 26 })
  return built
}
