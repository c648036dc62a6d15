import { build, type OutputFile } from 'esbuild'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { root } from '../machine/checkout.ts'
import { writeFileAtomically } from '../machine/write-file.ts'
import { bundledScripts } from './bundled-scripts.ts'

const sources = path.join(root, 'worker/app/scripts')

/**
 * Bundles what the pages of the dashboard run in a browser: one module for each file directly in worker/app/scripts, and
 * what they share in modules of its own, so that a browser loads it once.
 */
export async function bundleScripts(folder: string = bundledScripts): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: entriesIn(sources),
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    charset: 'utf8',
    chunkNames: 'shared-[hash]',
    legalComments: 'none',
    logLevel: 'error',
    write: false,
  })
  publish(outputFiles, folder)
}

function entriesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /^[a-z-]+\.ts$/.test(entry.name))
    .map((entry) => path.join(folder, entry.name))
}

/**
 * Writes only what has changed, each file as a whole, because another process may serve or bundle the same at this
 * moment.
 */
function publish(files: readonly OutputFile[], folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const { path: file, text } of files) {
    if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
      writeFileAtomically(file, text, 0o644)
    }
  }
  const current = new Set(files.map((file) => path.basename(file.path)))
  for (const name of readdirSync(folder)) {
    if (name.endsWith('.js') && !current.has(name)) rmSync(path.join(folder, name), { force: true })
  }
}
