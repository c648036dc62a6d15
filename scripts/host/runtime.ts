import { Server } from 'node:net'
import path from 'node:path'
import {
  convertV4MiniflareOptions,
  CoreHeaders,
  Log,
  LogLevel,
  Miniflare,
  Response as HostResponse,
  type V4MiniflareOptions,
} from 'miniflare'
import { z } from 'zod'
import { readDisk } from '../../containers/job/disk-room.ts'

/**
 * The only file that uses names which miniflare and wrangler call unstable, unsafe or experimental. They may change in
 * any release, so both packages are pinned, and `test/scripts/host/runtime.test.ts` says which name has changed.
 */

const resource = z.looseObject({ id: z.string() })

/** The bindings of wrangler.toml in miniflare's terms. They are plain data, so they can be stored as JSON. */
export const workerOptions = z.looseObject({
  bindings: z.record(z.string(), z.json()).default({}),
  r2Buckets: z.record(z.string(), resource).default({}),
  d1Databases: z.record(z.string(), resource).default({}),
  assets: z.looseObject({ binding: z.string(), directory: z.string() }).optional(),
})
export type WorkerOptions = z.infer<typeof workerOptions>

export type Module = { type: 'ESModule' | 'CompiledWasm' | 'Data' | 'Text'; path: string }

const loopback = '127.0.0.1'
const workerName = 'spool'

/** Called when the Worker is bundled, never while it runs, because wrangler alone takes 100 MB. */
export async function readWorkerOptions(configFile: string): Promise<WorkerOptions> {
  const { unstable_getMiniflareWorkerOptions: read } = await import('wrangler')
  return workerOptions.parse(read(configFile).workerOptions)
}

/** Splits a migration into statements; a trigger has semicolons inside it. */
export async function splitStatements(sql: string): Promise<string[]> {
  const { unstable_splitSqlQuery: split } = await import('wrangler')
  return split(sql)
}

export type RuntimePlan = {
  options: WorkerOptions
  modules: readonly Module[]
  bindings: Readonly<Record<string, string>>
  /** The credentials of the bucket's S3 endpoint. */
  s3: { accessKeyId: string; secretAccessKey: string }
  stateDirectory: string
  /** The public socket, which leads to the Worker and nothing else. */
  listen: { host: string; port: number }
  /**
   * On the loopback, only for the service itself: the simulator's entry, and the server that workerd asks for files.
   */
  ports: { entry: number; loopback: number }
  onLog: (level: string, message: string) => void
  /** Called after workerd has died and was restarted. */
  onRestart: () => void
}

type Database = Awaited<ReturnType<Miniflare['getD1Database']>>

export type Runtime = {
  runScheduled: (cron: string) => Promise<void>
  stop: () => Promise<void>
}

export async function startRuntime(plan: RuntimePlan): Promise<Runtime> {
  const runtime = makeMiniflare(plan.stateDirectory, plan.ports.loopback, {
    port: plan.ports.entry,
    log: logTo(plan.onLog),
    handleStructuredLogs: ({ level, message }: { level: string; message: string }) =>
      plan.onLog(level, message),
    unsafeHandleRuntimeRestart: plan.onRestart,
    // The entry falls back to its first Worker. This empty one keeps it from serving the service a second time.
    workers: [{ name: 'closed', ...refuseAll }, ...workersOf(plan)],
  })
  await runtime.ready
  return {
    runScheduled: async (cron) => {
      const worker = await runtime.getWorker(workerName)
      await worker.scheduled({ cron })
    },
    stop: async () => runtime.dispose(),
  }
}

/**
 * The Worker, and a separate Worker for its assets: if the Worker itself had assets, every request would pass two more
 * Workers, which took half of the processor time of a refused key.
 */
function workersOf({ options, modules, bindings, s3, listen, ...plan }: RuntimePlan): object[] {
  const { assets, ...bound } = options
  const r2Buckets = Object.entries(options.r2Buckets).map(([binding, bucket]): [string, object] => [
    binding,
    { ...bucket, s3Credentials: s3 },
  ])
  const service = {
    ...bound,
    name: workerName,
    modules: [...modules],
    modulesRoot: path.dirname(modules[0]?.path ?? ''),
    bindings: { ...options.bindings, ...bindings },
    r2Buckets: Object.fromEntries(r2Buckets),
    serviceBindings: {
      // A Worker cannot ask the system how full the disk is.
      DISK: () => HostResponse.json(readDisk(plan.stateDirectory)),
      ...(assets ? { [assets.binding]: 'assets' } : {}),
    },
    unsafeDirectSockets: [listen],
  }
  if (!assets) return [service]
  const alone = { ...assets, run_worker_first: false, routerConfig: { has_user_worker: false } }
  return [service, { name: 'assets', ...refuseAll, assets: alone }]
}

/** Opens only the database, for migrations: no Worker runs and nothing is served. */
export async function openDatabaseAlone(
  { d1Databases }: WorkerOptions,
  stateDirectory: string,
): Promise<{ database: Database; close: () => Promise<void> }> {
  const runtime = makeMiniflare(stateDirectory, 0, {
    workers: [{ name: 'migrations', ...refuseAll, d1Databases }],
  })
  const database = await runtime.getD1Database('DB', 'migrations')
  return { database, close: async () => runtime.dispose() }
}

const refuseAll = {
  modules: true,
  script: 'export default { fetch: () => new Response(null, { status: 404 }) }',
}

/** The bindings come from wrangler unchanged; miniflare checks every option against its own schema. */
type SharedOptions = Omit<V4MiniflareOptions, 'workers'> & { workers: object[] }

function makeMiniflare(stateDirectory: string, port: number, options: SharedOptions): Miniflare {
  const converted = convertV4MiniflareOptions({
    host: loopback,
    logRequests: false,
    // Otherwise miniflare asks a server of Cloudflare for an example of `request.cf`.
    cf: false,
    ...options,
  } as V4MiniflareOptions)
  // With a header for `request.cf`, every client could write it; without one, workerd tells the peer's address there.
  Reflect.set(CoreHeaders, 'CF_BLOB', undefined)
  giveNextServer(port)
  return new Miniflare({ ...converted, resourcePersistencePath: stateDirectory })
}

/**
 * Miniflare lets the server that workerd talks to listen on any free port and does not say which. Ours must be known in
 * advance, because no customer's address may name a port of the service.
 */
function giveNextServer(port: number): void {
  if (port === 0) return
  // oxlint-disable-next-line typescript/unbound-method -- it is called with its own `this` below
  const listen = Server.prototype.listen
  Server.prototype.listen = function (this: Server, ...args: unknown[]) {
    Server.prototype.listen = listen
    return Reflect.apply(listen, this, args[0] === 0 ? [port, ...args.slice(1)] : args) as Server
  }
}

function logTo(onLog: RuntimePlan['onLog']): Log {
  const log = new Log(LogLevel.WARN)
  log.logWithLevel = (level, message) => {
    if (level === LogLevel.ERROR || level === LogLevel.WARN)
      onLog(LogLevel[level].toLowerCase(), message)
  }
  return log
}
