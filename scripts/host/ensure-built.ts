import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { isBuilt } from '../machine/built-files.ts'
import { root } from '../machine/checkout.ts'
import { StopWithMessage } from '../machine/stop-with-message.ts'
import { removeOldest } from './remove-oldest.ts'
import { codeOf } from '../../containers/errors/code-of.ts'

/** Everything that determines the bundle, its static files and its bindings. */
const inputs = [
  'worker',
  'migrations',
  'scripts/browser',
  'scripts/client',
  'scripts/guides',
  'docs',
  'client/src',
  'client/README.md',
  'client/LICENSE',
  'client/package.json',
  'client/tsconfig.json',
  'wrangler.toml',
  'tsconfig.json',
  'package-lock.json',
]

const cacheFolder = path.join(root, 'node_modules/.cache/spool')

/** Returns the folder of the Worker, bundled as for a deployment, once for each state of its sources. */
export async function ensureBuilt(
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<string> {
  const folder = placeOf(hashOfSources())
  if (existsSync(folder)) {
    markAsUsed(folder)
    return folder
  }
  requireWritable()
  say('Bundling the Worker …')
  return build(signal)
}

const refusals: unknown[] = ['EROFS', 'EACCES', 'EPERM']

/** A service may run as a user who may not write to the checkout. */
function requireWritable(): void {
  try {
    mkdirSync(cacheFolder, { recursive: true })
    accessSync(cacheFolder, constants.W_OK)
  } catch (error) {
    if (!refusals.includes(codeOf(error))) throw error
    throw new StopWithMessage(
      `The Worker is not built, and this user may not write to ${cacheFolder}. As a user who may: npm start -- --prepare`,
    )
  }
}

function markAsUsed(folder: string): void {
  try {
    utimesSync(folder, new Date(), new Date())
  } catch (error) {
    if (!refusals.includes(codeOf(error))) throw error
  }
}

/**
 * Builds in a draft folder and moves it into place as a whole: two processes that start at once build the same, and
 * either may win.
 */
async function build(signal: AbortSignal): Promise<string> {
  const draft = path.join(cacheFolder, `draft-${process.pid}`)
  try {
    for (;;) {
      mkdirSync(draft, { recursive: true })
      const hash = hashOfSources()
      await runBuild(draft, signal)
      const folder = placeOf(hash)
      // If a source changed meanwhile, the bundle may or may not have the change, so build again.
      if (hash === hashOfSources()) {
        moveUnlessThere(draft, folder)
        removeOldest(cacheFolder)
        return folder
      }
      rmSync(draft, { recursive: true, force: true })
    }
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

async function runBuild(folder: string, signal: AbortSignal): Promise<void> {
  try {
    const script = path.join(root, 'scripts/host/build.ts')
    await promisify(execFile)(process.execPath, ['--no-warnings', script, folder], { signal })
  } catch (error) {
    signal.throwIfAborted()
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
    throw new StopWithMessage(`The Worker could not be bundled:\n\n${said.trim()}`)
  }
}

function moveUnlessThere(draft: string, folder: string): void {
  try {
    renameSync(draft, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  }
}

const placeOf = (hash: string) => path.join(cacheFolder, `worker-${hash}`)

function hashOfSources(): string {
  // The hash includes the absolute path, because the bindings contain that of the assets.
  const hash = createHash('sha256').update(root)
  for (const file of buildSources()) {
    const content = readFileSync(file)
    hash.update(`\0${path.relative(root, file)}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex').slice(0, 20)
}

export function buildSources(): string[] {
  const files = inputs.flatMap((input) => filesBelow(path.join(root, input)))
  return files.filter((file) => !isBuilt(file))
}

function filesBelow(place: string): string[] {
  if (statSync(place).isFile()) return [place]
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort()
}
