import type { Mode } from './run.ts'
import { runService } from './run-service.ts'
import { Screen } from './screen.ts'
import { readSettings } from './settings.ts'
import { listenForStop } from './stop-signals.ts'

/** Runs `npm start` and `npm run dev`; returns the exit code. */
export async function start(
  mode: Mode,
  [argument]: readonly string[],
  help: () => string,
): Promise<number> {
  if (argument === '--help' || argument === '-h') {
    process.stdout.write(help())
    return 0
  }
  if (argument !== undefined) {
    process.stderr.write(`Unknown argument ${argument}; settings come from the environment.\n`)
    return 2
  }
  // `npm start | head` closes the pipe; the service continues.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  const settings = readSettings(process.env)
  const stop = listenForStop(process, () => process.exit(130))
  await runService({ mode, settings }, new Screen(process.stdout), stop, (killNow) =>
    process.on('exit', killNow),
  )
  return 0
}
