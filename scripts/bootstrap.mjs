// The only script that runs on whatever Node the machine has (18 or newer) and needs no package: it installs what is
// missing, then starts the Node that package.json names, which runs the TypeScript next to this file.
import { spawn, spawnSync } from 'node:child_process'
import {
  accessSync,
  constants as access,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { constants } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const commands = [
  'start',
  'dev',
  'test',
  'campaigns',
  'check',
  'ci',
  'admin',
  'media-worker',
  'bench',
  'fuzz',
  'simulate',
  'docs',
  'client',
  'release',
  'demo',
  'models',
  'containers',
]
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const modules = path.join(root, 'node_modules')
const binaries = path.join(modules, '.bin')
const node = path.join(binaries, 'node')

main()

function main() {
  const [command, ...args] = process.argv.slice(2)
  if (!commands.includes(command)) {
    fail(2, `Usage: node scripts/bootstrap.mjs <${commands.join('|')}> [arguments]`)
  }
  if (Number.parseInt(process.versions.node, 10) < 18) {
    fail(1, `Node ${process.versions.node} is too old: Spool needs 18 or newer to install its own.`)
  }
  if (!packagesInStep()) alone(installPackages)
  runCommand(command, args)
}

/** Two commands may be started at once, and would install into the same folders. */
function alone(install) {
  const hold = path.join(root, '.wrangler', 'installing')
  try {
    mkdirSync(path.dirname(hold), { recursive: true })
    accessSync(path.dirname(hold), access.W_OK)
  } catch {
    fail(1, `Packages are missing, and this user may not write to ${root}.`)
  }
  for (let saysSo = true; !take(hold); saysSo = false) {
    if (saysSo) process.stderr.write('Waiting for another command, which installs packages …\n')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
  }
  const release = () => rmSync(hold, { force: true })
  process.on('exit', release)
  // The other command has installed the same.
  if (!packagesInStep()) install()
  release()
  process.off('exit', release)
}

/** Returns false while the process that holds it lives. */
function take(hold) {
  const draft = `${hold}-${process.pid}`
  writeFileSync(draft, String(lifeOf(process.pid)))
  try {
    linkSync(draft, hold)
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  const holder = readText(hold)
  // A process that was killed could not release it.
  if (holder !== undefined && lifeOf(parseInt(holder, 10)) !== holder) rmSync(hold, { force: true })
  return false
}

/** Numbers of processes are given again, so where the system tells it, a process is known by its start as well. */
function lifeOf(pid) {
  if (!existsSync('/proc/self/stat')) {
    const { status } = spawnSync('ps', ['-p', String(pid)], { stdio: 'ignore' })
    return status === 0 ? String(pid) : undefined
  }
  const stat = readText(`/proc/${pid}/stat`) ?? ''
  const fields = stat.slice(stat.lastIndexOf(')')).split(' ')
  const [state, startedAt] = [fields[1], fields[20]]
  return state === undefined || state === 'Z' ? undefined : `${pid} ${startedAt}`
}

function readText(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** npm leaves a copy of the lockfile in node_modules only when it has finished. */
function packagesInStep() {
  const wanted = readPackages(path.join(root, 'package-lock.json'))
  const installed = readPackages(path.join(modules, '.package-lock.json'))
  if (!existsSync(node)) return false
  return Object.entries(wanted).every(([name, entry]) => {
    if (name === '') return true
    const found = installed[name]
    // Packages for other systems are only in the lockfile.
    if (!found) return entry.optional === true
    return found.version === entry.version && found.integrity === entry.integrity
  })
}

function readPackages(file) {
  try {
    return JSON.parse(readText(file) ?? '{}').packages ?? {}
  } catch {
    return {}
  }
}

function installPackages() {
  process.stderr.write('Installing packages (npm ci) …\n')
  if (lstatSync(modules, { throwIfNoEntry: false })?.isDirectory()) replacePackages()
  else installInto(root)
  if (!existsSync(node)) {
    fail(1, 'The package "node" was not unpacked. Allow its install script: npm rebuild node')
  }
}

/**
 * `npm ci` empties its folder first, and a service may run from it, whose files would be gone. So it installs beside, and the
 * Workers that were bundled for the former version stay.
 */
function replacePackages() {
  const beside = path.join(root, '.wrangler', 'packages')
  const clear = () => rmSync(beside, { recursive: true, force: true })
  // Ctrl-C may have left one.
  clear()
  process.on('exit', clear)
  mkdirSync(beside, { recursive: true })
  for (const name of ['package.json', 'package-lock.json', '.npmrc']) {
    if (existsSync(path.join(root, name))) {
      copyFileSync(path.join(root, name), path.join(beside, name))
    }
  }
  installInto(beside)
  const former = path.join(beside, 'former')
  try {
    renameSync(modules, former)
  } catch {
    // A folder that is mounted cannot be moved.
    return installInto(root)
  }
  renameSync(path.join(beside, 'node_modules'), modules)
  const cache = path.join(former, '.cache')
  if (existsSync(cache)) renameSync(cache, path.join(modules, '.cache'))
  clear()
}

function installInto(folder) {
  const { status, error } = spawnSync('npm', ['ci', '--loglevel=error', '--prefix', folder], {
    cwd: folder,
    // npm's output goes to stderr, because the command's own output must stay readable with `--json`.
    stdio: ['ignore', process.stderr, process.stderr],
    shell: process.platform === 'win32',
    // This skips the CUDA libraries: docs/operators/dependencies.md.
    env: { ...process.env, ONNXRUNTIME_NODE_INSTALL: 'skip' },
  })
  if (error) fail(1, `npm could not be run: ${error.message}`)
  if (status !== 0) fail(1, 'npm ci failed; see above.')
}

function entryOf(command) {
  if (command === 'simulate') return path.join(root, 'simulation', 'main.ts')
  if (command === 'bench' || command === 'fuzz') return path.join(root, command, 'main.ts')
  return path.join(root, 'scripts', `${command}.ts`)
}

function runCommand(command, args) {
  const env = { ...process.env, PATH: `${binaries}${path.delimiter}${process.env.PATH ?? ''}` }
  // Node loads what it has compiled before, with types stripped, which takes half the time and saves 30 MB per process.
  env.NODE_COMPILE_CACHE ??= path.join(root, 'node_modules', '.cache', 'node')
  // Unused memory goes back to the system, because a service idles far longer than it starts.
  env.MALLOC_MMAP_THRESHOLD_ ??= '131072'
  // A simulated world makes far more garbage than a service, and none of it lives long.
  const youngMegabytes = command === 'simulate' ? 64 : 1
  const flags = ['--expose-gc', `--max-semi-space-size=${youngMegabytes}`]
  const child = spawn(node, [...flags, entryOf(command), ...args], {
    // The channel carries no messages; it tells the child when this process is gone.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env,
  })
  // A terminal sends Ctrl-C to the child as well; `kill` and process managers do not. The child treats two signals in
  // quick succession as one. This process stays until the child has ended.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal))
  }
  child.on('error', (error) => fail(1, `${node} could not be run: ${error.message}`))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
}

function fail(exitCode, message) {
  process.stderr.write(`${message}\n`)
  process.exit(exitCode)
}
