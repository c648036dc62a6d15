import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { countedVariable, resultsVariable } from '../test/closing-line.ts'
import { Progress } from './progress.ts'
import type { Step } from './steps.ts'

type Run = (command: Step['command'], env: Record<string, string>) => Promise<number>
type CheckSteps = { checks: readonly Step[]; tests: Step; campaigns: Step }
type Output = { write: (text: string) => void; now: () => number }

/** Wrangler must not look for updates, report, or ask; and colours belong to a terminal. */
const quiet = {
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_SEND_ERROR_REPORTS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  WRANGLER_NO_SKILLS_UPDATE_PROMPTS: 'true',
}

/** From here on a signal has ended a step: the reader who pressed Ctrl-C wants no more of them. */
const firstSignal = 128

/**
 * Runs all steps, also after one has failed: a reader wants to know everything at once. The tests come last, then the
 * campaigns, and the line that ends the output counts both.
 */
export async function runCheck(
  { checks, tests, campaigns }: CheckSteps,
  run: Run,
  { write, now }: Output,
): Promise<number> {
  const progress = new Progress([...checks, tests, campaigns], now)
  write(`${progress.plan()}\n`)
  const failed: string[] = []
  const take = async (step: Step, env: Record<string, string>): Promise<number> => {
    write(`\n== ${progress.begin(step)}\n`)
    const exitCode = await run(step.command, env)
    if (exitCode !== 0) failed.push(step.name)
    return exitCode
  }
  for (const step of checks) {
    const exitCode = await take(step, quiet)
    if (exitCode >= firstSignal) return exitCode
    write(`${exitCode === 0 ? 'ok' : `FAILED (exit code ${exitCode})`}, ${progress.took()}\n`)
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'spool-check-'))
  try {
    const results = path.join(folder, 'results.json')
    const ofCampaigns = path.join(folder, 'campaigns.json')
    for (const [step, env] of [
      [tests, { [resultsVariable]: results }],
      [campaigns, { [resultsVariable]: ofCampaigns, [countedVariable]: results }],
    ] as const) {
      if (failed.length > 0) write(`\nFailed so far: ${failed.join(', ')}\n`)
      const exitCode = await take(step, env)
      if (exitCode >= firstSignal) return exitCode
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return failed.length > 0 ? 1 : 0
}
