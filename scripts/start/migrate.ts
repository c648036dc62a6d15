import { spawn } from 'node:child_process'
import { root } from '../machine/checkout.ts'
import { StopWithMessage } from '../machine/stop-with-message.ts'
import type { DataDirectory } from './data-directory.ts'
import { wranglerVariables } from './part-environments.ts'
import { migrationArguments } from './parts.ts'

/** Applies what is new in migrations/ to the local database. Silent unless it fails. */
export async function applyMigrations(data: DataDirectory, signal: AbortSignal): Promise<void> {
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
