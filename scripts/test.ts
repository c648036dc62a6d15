import { vitestCli } from './machine/checkout.ts'
import { ensureFfmpeg } from './machine/ensure-ffmpeg.ts'
import { runCommand } from './machine/run-command.ts'
import { exitCodeOf } from './machine/stop-with-message.ts'

process.exitCode = await exitCodeOf(async () => {
  ensureFfmpeg((line) => process.stderr.write(`${line}\n`))
  return runCommand(process.execPath, [vitestCli, 'run', ...process.argv.slice(2)])
})
