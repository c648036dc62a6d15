import { runAdmin } from './admin/run-admin.ts'
import { runUntilStopped } from './machine/run-until-stopped.ts'
import { exitCodeOf } from './machine/stop-with-message.ts'
import { listenForStop } from './start/stop-signals.ts'

const stop = listenForStop(process, () => process.exit(130))
const code = await exitCodeOf(async () =>
  runUntilStopped(async () => {
    process.stdout.write(await runAdmin(process.argv.slice(2), process.env, stop))
    return 0
  }, stop),
)
// What listens for signals keeps the process alive.
process.stdout.write('', () => process.exit(code))
