import { build } from 'esbuild'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { bundledScripts } from '../machine/built-files.ts'
import { root } from '../machine/checkout.ts'
import { publishFiles } from '../machine/publish-files.ts'

const sources = path.join(root, 'worker/app/scripts')

/**
 * Bundles what the pages of the dashboard run in a browser: one module for each file directly in worker/app/scripts, and
 * what they share in modules of its own, so that a browser loads it once.
 */
export async function bundleScripts(): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: entriesIn(sources),
    outdir: bundledScripts,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    charset: 'utf8',
    chunkNames: 'shared-[hash]',
    loader: { '.woff2': 'file' },
    assetNames: '[name]-[hash]',
    publicPath: '/scripts',
    legalComments: 'none',
    logLevel: 'error',
    write: false,
  })
  publishFiles(outputFiles, bundledScripts)
}

function entriesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /^[a-z-]+\.ts$/.test(entry.name))
    .map((entry) => path.join(folder, entry.name))
}
