import { exitCodeOf } from './machine/stop-with-message.ts'
import { runMediaWorker } from './media-worker/run-media-worker.ts'

process.exit(await exitCodeOf(async () => runMediaWorker(process.argv.slice(2), process.env)))
