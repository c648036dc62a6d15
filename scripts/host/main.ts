import { readFileSync } from 'node:fs'
import { parseArgs, parseEnv } from 'node:util'
import { builtWorker, modulesOf, readBuiltOptions, type BuiltWorker } from './built-worker.ts'
import { fireCron } from './fire-cron.ts'
import { databaseFolder, migrate } from './migrate.ts'
import { startRuntime, type RuntimePlan } from './runtime.ts'

/** After this time the first scheduled run is over. */
const settledMs = 2_000

const cronExpression = '* * * * *'

// The supervisor may be gone; this process continues, and the next start ends it.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

const { values } = parseArgs({
  options: {
    worker: { type: 'string' },
    state: { type: 'string' },
    'env-file': { type: 'string' },
    host: { type: 'string' },
    port: { type: 'string' },
    'entry-port': { type: 'string' },
    'loopback-port': { type: 'string' },
  },
})

await serve()

/** Runs the built Worker of one data directory until it is stopped. */
async function serve(): Promise<void> {
  const built = builtWorker(required('worker'))
  const state = required('state')
  await migrate(built, state)
  const cron = fireCron(
    async () => (await starting).runScheduled(cronExpression),
    (fault) => writeLog('error', `The scheduled run failed: ${fault}`),
  )
  const starting = startRuntime(planOf(built, state, cron.now))
  const runtime = await starting
  cron.now()
  // Building the configuration takes 100 MB once, and an idle process does not give them back by itself.
  setTimeout(() => globalThis.gc?.(), settledMs)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      cron.stop()
      void runtime.stop().then(() => process.exit(0))
    })
  }
}

function planOf(built: BuiltWorker, state: string, onRestart: () => void): RuntimePlan {
  const bindings = parseEnv(readFileSync(required('env-file'), 'utf8'))
  return {
    options: readBuiltOptions(built),
    modules: modulesOf(built),
    bindings: textsOf(bindings),
    s3: {
      accessKeyId: bindings['S3_ACCESS_KEY_ID'] ?? '',
      secretAccessKey: bindings['S3_SECRET_ACCESS_KEY'] ?? '',
    },
    stateDirectory: databaseFolder(state),
    listen: { host: required('host'), port: Number(required('port')) },
    ports: {
      entry: Number(required('entry-port')),
      loopback: Number(required('loopback-port')),
    },
    onLog: writeLog,
    onRestart,
  }
}

function required(name: keyof typeof values): string {
  const value = values[name]
  if (value === undefined) throw new Error(`--${name} is missing`)
  return value
}

function textsOf(variables: NodeJS.Dict<string>): RuntimePlan['bindings'] {
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  )
}

/** The Worker writes one JSON object per line; the runtime's own messages are marked if they are errors. */
function writeLog(level: string, message: string): void {
  const isOurs = message.startsWith('{')
  const mark = !isOurs && level === 'error' ? '[runtime:error] ' : ''
  process.stdout.write(`${mark}${message}\n`)
}
