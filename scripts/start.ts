import { exitCodeOf } from './machine/stop-with-message.ts'
import { helpText } from './start/help-text.ts'
import { start } from './start/start.ts'

process.exit(await exitCodeOf(async () => start('server', process.argv.slice(2), helpText)))
