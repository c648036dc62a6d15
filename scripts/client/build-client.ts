import { build, type OutputFile, type Plugin } from 'esbuild'
import path from 'node:path'
import { binaries, root } from '../machine/checkout.ts'
import { publishFiles } from '../machine/publish-files.ts'
import { runCommand } from '../machine/run-command.ts'

export const clientFolder = path.join(root, 'client')
const dist = path.join(clientFolder, 'dist')

const nodeModules = ['node/open-path.ts', 'node/web-crypto.ts']
const entries = ['index.ts', 'no-files.ts', 'no-web-crypto.ts', ...nodeModules]

/**
 * What only Node has is imported by a name, for which `imports` in package.json has another module elsewhere: a bundler
 * for browsers or Workers then never sees it.
 */
const namedImports: Plugin = {
  name: 'named-imports',
  setup: (builder) =>
    builder.onResolve({ filter: /\/node\/[a-z-]+\.ts$/ }, ({ kind, path: file }) =>
      kind === 'dynamic-import' ? { path: `#${path.basename(file, '.ts')}`, external: true } : null,
    ),
}

/**
 * The client as it is published, without its types: what only Node has is in modules of its own, which are loaded
 * when they are needed.
 */
export async function bundleClient(folder: string = dist): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: entries.map((name) => path.join(clientFolder, 'src', name)),
    outbase: path.join(clientFolder, 'src'),
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    platform: 'neutral',
    external: ['node:*'],
    plugins: [namedImports],
    charset: 'utf8',
    logLevel: 'error',
    write: false,
  })
  publishFiles([...outputFiles, ...(await bundleCommandLine(folder))], folder)
}

/** The program in one file, which starts faster than many. It runs only on Node, so nothing is left out for others. */
async function bundleCommandLine(folder: string): Promise<OutputFile[]> {
  const { outputFiles } = await build({
    entryPoints: { 'spool-cli': path.join(clientFolder, 'src/cli/bin.ts') },
    outdir: folder,
    bundle: true,
    format: 'esm',
    target: 'node18',
    platform: 'node',
    banner: { js: '#!/usr/bin/env node' },
    charset: 'utf8',
    logLevel: 'error',
    write: false,
  })
  return outputFiles
}

/** The types beside it; returns the exit code of the compiler. */
export async function declareClient(folder: string = dist): Promise<number> {
  const tsc = path.join(binaries, 'tsc')
  return runCommand(tsc, ['-p', clientFolder, '--emitDeclarationOnly', '--outDir', folder])
}
