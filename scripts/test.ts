import { vitestCli } from './machine/checkout.ts'
import { ensureChromium } from './machine/ensure-chromium.ts'
import { ensureFfmpeg } from './machine/ensure-ffmpeg.ts'
import { runCommand } from './machine/run-command.ts'
import { exitCodeOf } from './machine/stop-with-message.ts'
import { runTests } from './test/run-tests.ts'

process.exitCode = await exitCodeOf(async () => {
  const say = (line: string): void => void process.stderr.write(`${line}\n`)
  await ensureFfmpeg(say)
  ensureChromium(say)
  return runTests(
    (args, env) => runCommand(process.execPath, [vitestCli, 'run', ...args], { env }),
    process.argv.slice(2),
    (line) => process.stdout.write(`\n${line}\n`),
  )
})
