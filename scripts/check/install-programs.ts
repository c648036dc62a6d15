import { exitCodeOf } from '../machine/stop-with-message.ts'
import { ensurePrograms } from '../test/ensure-programs.ts'

process.exitCode = await exitCodeOf(async () => {
  await ensurePrograms('tests')
  return 0
})
