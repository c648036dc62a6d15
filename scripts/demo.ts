import { exitCodeOf } from './machine/stop-with-message.ts'
import { runUntilStopped } from './machine/run-until-stopped.ts'
import { readDemoOptions } from './demo/options.ts'
import { runDemo } from './demo/run-demo.ts'

process.exit(
  await exitCodeOf(async () => {
    const options = readDemoOptions(process.argv.slice(2), process.env)
    if ('help' in options) {
      process.stdout.write(options.help)
      return 0
    }
    return runUntilStopped(async (stop) => runDemo(options, stop))
  }),
)
