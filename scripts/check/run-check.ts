import { exitCodeOf } from '../machine/stop-with-message.ts'
import { runCommand } from '../machine/run-command.ts'
import { runSuite } from '../test/run-suite.ts'
import type { Suite } from '../test/suites.ts'
import type { Lane, Step } from './steps.ts'

type Checks = {
  lanes: readonly Lane[]
  /** Runs a step that is not a test. */
  run: (command: Step['command'], write: (text: string) => void) => Promise<number>
  suite: Suite
  test: () => Promise<number>
}
type Output = { write: (text: string) => void; now: () => number }

/** Wrangler must not look for updates, report, or ask. */
const quiet = {
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_SEND_ERROR_REPORTS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  WRANGLER_NO_SKILLS_UPDATE_PROMPTS: 'true',
}

/** An exit code from here on means that a signal ended the step: the reader pressed Ctrl-C, and wants no further steps. */
const firstSignal = 128

/** Runs these lanes at once, then the tests of this suite. */
export async function check(lanes: readonly Lane[], suite: Suite): Promise<number> {
  const env = { ...process.env, ...quiet }
  return exitCodeOf(async () =>
    runCheck(
      {
        lanes,
        run: async ([program, ...args], write) => runCommand(program, args, { env, write }),
        suite,
        test: async () => runSuite(suite, []),
      },
      { write: (text) => process.stdout.write(text), now: () => performance.now() },
    ),
  )
}

/**
 * Runs all steps, also after one has failed: a reader wants to know everything at once. What a step says is written when it
 * has ended. The tests come last, with the line that counts them.
 */
export async function runCheck(
  { lanes, run, suite, test }: Checks,
  { write, now }: Output,
): Promise<number> {
  const failed: string[] = []
  let interrupted = 0
  const startedAt = now()
  write(`At once: ${lanes.map((lane) => lane.map(({ name }) => name).join(', ')).join(' | ')}\n`)
  const takeLane = async (lane: Lane): Promise<void> => {
    for (const { name, command } of lane) {
      if (interrupted > 0) return
      const begunAt = now()
      let said = ''
      const exitCode = await run(command, (text) => (said += text))
      if (exitCode !== 0) failed.push(name)
      if (exitCode >= firstSignal) interrupted = exitCode
      const outcome = exitCode === 0 ? 'ok' : `FAILED (exit code ${exitCode})`
      write(`\n== ${name}\n${said}${outcome}, ${seconds(now() - begunAt)}\n`)
    }
  }
  await Promise.all(lanes.map(takeLane))
  if (interrupted > 0) return interrupted
  if (failed.length > 0) write(`\nFailed so far: ${failed.join(', ')}\n`)
  const named = suite === 'all' ? 'tests and campaigns' : suite
  write(`\n== ${named}, which take many minutes (after ${seconds(now() - startedAt)})\n`)
  const exitCode = await test()
  if (exitCode >= firstSignal) return exitCode
  return exitCode === 0 && failed.length === 0 ? 0 : 1
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`
