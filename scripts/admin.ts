import { runAdmin } from './admin/run-admin.ts'
import { runUntilStopped } from './machine/run-until-stopped.ts'
import { exitCodeOf } from './machine/stop-with-message.ts'

const code = await exitCodeOf(async () =>
  runUntilStopped(async (stop) => {
    process.stdout.write(await runAdmin(process.argv.slice(2), process.env, stop))
    return 0
  }),
)
// What listens for signals keeps the process alive.
process.stdout.write('', () => process.exit(code))
