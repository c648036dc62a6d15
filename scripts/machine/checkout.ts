import path from 'node:path'

export const root = path.resolve(import.meta.dirname, '../..')

const packages = path.join(root, 'node_modules')
export const binaries = path.join(packages, '.bin')

/** The command line itself instead of its launcher, which saves a process and makes it the leader of its own group. */
export const wranglerCli = path.join(packages, 'wrangler/wrangler-dist/cli.js')
export const vitestCli = path.join(packages, 'vitest/vitest.mjs')
