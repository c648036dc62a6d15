import { runCheck } from './check/run-check.ts'
import { sourceSteps, testSteps } from './check/steps.ts'
import { runCommand } from './machine/run-command.ts'

process.exitCode = await runCheck(
  { checks: sourceSteps, ...testSteps },
  async ([program, ...args], env) => runCommand(program, args, { env: { ...process.env, ...env } }),
  { write: (text) => process.stdout.write(text), now: () => performance.now() },
)
