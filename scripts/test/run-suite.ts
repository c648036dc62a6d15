import { vitestCli } from '../machine/checkout.ts'
import { ensureChromium } from '../machine/ensure-chromium.ts'
import { ensureServerPrograms, ensureSecondReader } from '../machine/ensure-campaign-programs.ts'
import { ensureFfmpeg } from '../machine/ensure-ffmpeg.ts'
import { ensureFonts } from '../machine/ensure-fonts.ts'
import { runCommand } from '../machine/run-command.ts'
import { runTests } from './run-tests.ts'
import type { Suite } from './suites.ts'

/** Installs what the tests want of the machine, and runs the suite, or what of it the arguments name. */
export async function runSuite(suite: Suite, args: readonly string[]): Promise<number> {
  const say = (line: string): void => void process.stderr.write(`${line}\n`)
  await ensureFfmpeg(say)
  ensureFonts(say)
  ensureChromium(say)
  if (suite !== 'tests') {
    ensureServerPrograms(say)
    ensureSecondReader(say)
  }
  return runTests(
    (options, env) => runCommand(process.execPath, [vitestCli, 'run', ...options], { env }),
    { suite, args },
    (line) => process.stdout.write(`\n${line}\n`),
  )
}
