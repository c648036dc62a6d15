import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { countedVariable, resultsVariable } from '../test/closing-line.ts'
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

type Timed = Pick<Step, 'name' | 'seconds'>

/** Tells how long some steps take before the first begins, and at each of them how far they are. */
class Progress {
  readonly #steps: readonly Timed[]
  readonly #now: () => number
  readonly #startedAt: number
  #stepAt: number

  /** `now`: milliseconds of a clock that never goes back. */
  constructor(steps: readonly Timed[], now: () => number) {
    this.#steps = steps
    this.#now = now
    this.#startedAt = now()
    this.#stepAt = this.#startedAt
  }

  /** `7 steps, about 13 minutes on two quiet cores: format, lint, …` */
  plan(): string {
    const names = this.#steps.map(({ name }) => name)
    const all = aboutSeconds(this.#steps.reduce((sum, { seconds }) => sum + seconds, 0))
    return `${names.length} steps, about ${all} on two quiet cores: ${names.join(', ')}`
  }

  /** `3 of 7: types, about 30 s (0:41 so far)` */
  begin(step: Timed): string {
    this.#stepAt = this.#now()
    const number = this.#steps.indexOf(step) + 1
    const soFar = clock(this.#stepAt - this.#startedAt)
    const about = aboutSeconds(step.seconds)
    return `${number} of ${this.#steps.length}: ${step.name}, about ${about} (${soFar} so far)`
  }

  /** `31.4 s`, of the step that began last. */
  took(): string {
    return `${((this.#now() - this.#stepAt) / 1000).toFixed(1)} s`
  }
}

function aboutSeconds(seconds: number): string {
  if (seconds < 90) return `${seconds} s`
  return `${Math.ceil(seconds / 60)} minutes`
}

/** `m:ss` */
function clock(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
