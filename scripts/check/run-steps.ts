import { runCommand } from '../machine/run-command.ts'
import type { Step } from './steps.ts'

/** Wrangler must not look for updates, send reports, or ask questions; and colours are for terminals only. */
const quiet = {
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_SEND_ERROR_REPORTS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  WRANGLER_NO_SKILLS_UPDATE_PROMPTS: 'true',
}

/** Runs all steps, even after one has failed, so that the reader learns about everything at once. */
export async function runSteps(steps: readonly Step[]): Promise<string[]> {
  const failed: string[] = []
  for (const { name, command } of steps) {
    process.stdout.write(`\n== ${name}\n`)
    const startedAt = performance.now()
    const [program, ...args] = command
    const exitCode = await runCommand(program, args, { env: { ...process.env, ...quiet } })
    // It was interrupted with Ctrl-C, so the rest is not wanted.
    if (exitCode === 130) return [...failed, name]
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    process.stdout.write(
      `${exitCode === 0 ? 'ok' : `FAILED (exit code ${exitCode})`}, ${seconds} s\n`,
    )
    if (exitCode !== 0) failed.push(name)
  }
  return failed
}

/** The checks first and the tests last, so that the closing line of the tests ends the output. */
export async function checkThenTest(checks: readonly Step[], test: Step): Promise<number> {
  const failed = await runSteps(checks)
  if (failed.length > 0) process.stdout.write(`\nFailed: ${failed.join(', ')}\n`)
  process.stdout.write(`\n== ${test.name}\n`)
  const [program, ...args] = test.command
  const testExitCode = await runCommand(program, args)
  return failed.length > 0 ? 1 : testExitCode
}
