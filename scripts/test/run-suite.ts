import { vitestCli } from '../machine/checkout.ts'
import { runCommand } from '../machine/run-command.ts'
import { ensurePrograms } from './ensure-programs.ts'
import { runTests } from './run-tests.ts'
import type { Suite } from './suites.ts'

/** Installs what the tests want of the machine, and runs the suite, or what of it the arguments name. */
export async function runSuite(suite: Suite, args: readonly string[]): Promise<number> {
  await ensurePrograms(suite)
  return runTests(
    (options, env) => runCommand(process.execPath, [vitestCli, 'run', ...options], { env }),
    { suite, args },
    (line) => process.stdout.write(`\n${line}\n`),
  )
}
