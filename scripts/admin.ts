import { runAdmin } from './admin/run-admin.ts'
import { exitCodeOf } from './machine/stop-with-message.ts'

process.exitCode = await exitCodeOf(async () => {
  process.stdout.write(await runAdmin(process.argv.slice(2), process.env))
  return 0
})
