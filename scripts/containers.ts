import { findEngine } from './containers/engine.ts'
import { installEngine, startOwnEngine, stopOwnEngine } from './containers/own-engine.ts'
import { prepareHost } from './containers/container-host.ts'
import { exitCodeOf, StopWithMessage } from './machine/stop-with-message.ts'
import { containersHelp } from './start/help-text.ts'
import { start } from './start/start.ts'

const [argument] = process.argv.slice(2)
const say = (line: string): void => void process.stdout.write(`${line}\n`)

process.exit(
  await exitCodeOf(async () => {
    if (argument === '--install') return install()
    if (argument === '--stop') {
      say((await stopOwnEngine()) ? 'The engine has stopped.' : 'No engine of Spool’s own runs.')
      return 0
    }
    return start('containers', process.argv.slice(2), containersHelp, async (folder, tell) =>
      prepareHost(findEngine(), folder, tell),
    )
  }),
)

/** Installs an engine, and starts one if none answers. */
async function install(): Promise<number> {
  installEngine(say)
  try {
    const { version, host } = findEngine()
    say(`Docker ${version} answers at ${host}.`)
  } catch (error) {
    if (!(error instanceof StopWithMessage)) throw error
    await startOwnEngine(say)
  }
  say('Now: npm run containers')
  return 0
}
