import { exitCodeOf } from './machine/stop-with-message.ts'
import { helpText } from './start/describe-settings.ts'
import { runService } from './start/run-service.ts'
import { readSettings } from './start/settings.ts'
import { listenForStop } from './start/stop-signals.ts'

process.exit(await exitCodeOf(start))

async function start(): Promise<number> {
  const [argument] = process.argv.slice(2)
  if (argument === '--help' || argument === '-h') {
    process.stdout.write(helpText())
    return 0
  }
  if (argument !== undefined) {
    process.stderr.write(`Unknown argument ${argument}; settings come from the environment.\n`)
    return 2
  }
  // `npm start | head` closes the pipe; the service goes on.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  const settings = readSettings(process.env)
  const stop = listenForStop(process, () => process.exit(130))
  await runService(
    settings,
    (line) => process.stdout.write(`${line}\n`),
    stop,
    (killNow) => process.on('exit', killNow),
  )
  return 0
}
