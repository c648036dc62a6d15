import { exitCodeOf } from './machine/stop-with-message.ts'
import { devHelp } from './start/help-text.ts'
import { start } from './start/start.ts'

const [argument, ...others] = process.argv.slice(2)
const byHand = argument === '--by-hand'
const rest = byHand ? others : process.argv.slice(2)

process.exit(await exitCodeOf(async () => start(byHand ? 'dev-by-hand' : 'dev', rest, devHelp)))
