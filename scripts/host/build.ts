import { execFile } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { root, wranglerCli } from '../machine/checkout.ts'
import { quietWrangler } from '../machine/quiet-wrangler.ts'
import { writeJson } from '../machine/write-file.ts'
import { builtWorker, type BuiltWorker, type Migration } from './built-worker.ts'
import { readWorkerOptions, splitStatements } from './runtime.ts'

/** Runs in its own process, because wrangler is large: `node build.ts FOLDER [CONFIG [MIGRATIONS]]`. */
const [
  folder,
  config = path.join(root, 'wrangler.toml'),
  migrations = path.join(root, 'migrations'),
] = process.argv.slice(2)
if (folder === undefined) throw new Error('Name the folder to build in.')
await build(builtWorker(folder))

async function build(built: BuiltWorker): Promise<void> {
  const own = path.join(built.folder, 'wrangler')
  const dryRun = ['deploy', '--dry-run', '--env=', '--containers-rollout=none']
  await promisify(execFile)(
    process.execPath,
    ['--no-warnings', wranglerCli, ...dryRun, '--config', config, '--outdir', built.bundle],
    { cwd: root, env: quietWrangler(own), maxBuffer: 2 ** 26 },
  )
  rmSync(own, { recursive: true, force: true })
  const options = await readWorkerOptions(config)
  // The folder in the checkout is bundled into again whenever the sources of the pages' scripts change.
  if (options.assets) cpSync(options.assets.directory, built.assets, { recursive: true })
  writeJson(built.options, options, 0o644)
  writeJson(built.migrations, await readMigrations(), 0o644)
}

async function readMigrations(): Promise<Migration[]> {
  const names = readdirSync(migrations).filter((name) => name.endsWith('.sql'))
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = readFileSync(path.join(migrations, name), 'utf8')
      return { name, statements: await splitStatements(sql) }
    }),
  )
}
