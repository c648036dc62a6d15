import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { root } from '../machine/checkout.ts'
import { StopWithMessage } from '../machine/stop-with-message.ts'
import { readJson, writeJson } from '../machine/write-file.ts'
import type { DataDirectory } from './data-directory.ts'
import { wranglerVariables } from './part-environments.ts'
import { migrationArguments } from './parts.ts'

/** Applies what is new in migrations/ to the local database. Silent unless it fails. */
export async function applyMigrations(data: DataDirectory, signal: AbortSignal): Promise<void> {
  const names = readdirSync(path.join(root, 'migrations')).filter((name) => name.endsWith('.sql'))
  // Wrangler takes seconds to find out that nothing is new. The list lies with the database, and goes with it.
  const applied = path.join(data.state, 'applied-migrations.json')
  if (isDeepStrictEqual(readJson(applied), names)) return
  await runWrangler(data, signal)
  writeJson(applied, names, 0o644)
}

async function runWrangler(data: DataDirectory, signal: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, migrationArguments(data), {
    cwd: root,
    env: wranglerVariables(data),
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  }
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (exitCode !== 0) throw new StopWithMessage(`The migrations failed:\n\n${output.trim()}`)
}
