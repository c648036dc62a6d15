import { runUntilStopped, stopped } from './machine/run-until-stopped.ts'
import { exitCodeOf } from './machine/stop-with-message.ts'
import { runModels } from './models/run-models.ts'

const code = await exitCodeOf(async () =>
  runUntilStopped(async (stop) => {
    const surroundings = { env: process.env, stop, out: process.stdout }
    process.stdout.write(await runModels(process.argv.slice(2), surroundings))
    return 0
  }),
)
if (code === stopped)
  process.stderr.write('\nStopped. The same command goes on where it stopped.\n')
// What listens for signals keeps the process alive.
process.stdout.write('', () => process.exit(code))
