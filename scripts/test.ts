import { exitCodeOf } from './machine/stop-with-message.ts'
import { runSuite } from './test/run-suite.ts'

process.exitCode = await exitCodeOf(async () => runSuite('tests', process.argv.slice(2)))
