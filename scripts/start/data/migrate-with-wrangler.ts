import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { root, wranglerCli } from '../../machine/checkout.ts'
import { quietWrangler } from '../../machine/quiet-wrangler.ts'
import { StopWithMessage } from '../../machine/stop-with-message.ts'
import type { DataDirectory } from './data-directory.ts'

/**
 * Applies new migrations before `wrangler dev` starts. The server reads migrations from the built Worker, but a Worker
 * that is being changed may not build at all.
 */
export async function migrateWithWrangler(data: DataDirectory, signal: AbortSignal): Promise<void> {
  const apply = ['d1', 'migrations', 'apply', 'DB', '--local', '--persist-to', data.state]
  try {
    await promisify(execFile)(
      process.execPath,
      ['--no-warnings', wranglerCli, ...apply, '--config', data.devConfig],
      { cwd: root, env: quietWrangler(data.wrangler), signal, maxBuffer: 2 ** 26 },
    )
  } catch (error) {
    if (signal.aborted) return
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
    throw new StopWithMessage(`The migrations failed:\n\n${said.trim()}`)
  }
}
