import { showFailure, type CommandCall } from './arguments/show-failure.ts'
import {
  findCommand,
  isGroupName,
  parseLine,
  unknownCommand,
  type ParsedLine,
} from './arguments/parse-line.ts'
import { commandHelp, exitCodeHelp, listHelp } from './arguments/show-help.ts'
import { commands } from './commands.ts'
import { CommandError } from './session/command-error.ts'
import type { ExitCode } from './session/exit-code.ts'
import { describeFailure } from './session/failure.ts'
import { Session, type CommonFlags } from './session/session.ts'
import type { Surroundings } from './session/surroundings.ts'
import { version } from './version.ts'

/** Does what a command line says, and returns the exit code. */
export async function main(
  words: readonly string[],
  surroundings: Surroundings,
): Promise<ExitCode> {
  let session = new Session(plainCommon(words), surroundings)
  let asked: CommandCall | undefined
  try {
    const parsed = parseLine(words, commands)
    if (parsed.outcome === 'version') session.screen.print(version)
    else {
      session = new Session(parsed.common, surroundings)
      if (parsed.outcome === 'run') {
        asked = parsed
        return await runCommand(parsed, session)
      }
      showHelp(parsed.of, session)
    }
    return 0
  } catch (error) {
    const failure = describeFailure(error)
    showFailure(failure, session.screen, { json: session.common.json, asked })
    return failure.exitCode
  }
}

async function runCommand(
  { command, given }: Extract<ParsedLine, { outcome: 'run' }>,
  session: Session,
): Promise<ExitCode> {
  const forget = session.surroundings.onInterrupt((signal) =>
    session.interrupt(signal === 'SIGINT'),
  )
  try {
    return (await command.run(given, session)) ?? 0
  } catch (error) {
    // Whatever an interrupted call throws, Ctrl-C was the reason.
    const reason: unknown = session.signal.reason
    throw session.signal.aborted && !(error instanceof CommandError) ? reason : error
  } finally {
    forget()
  }
}

function showHelp(names: readonly string[], { screen }: Session): void {
  const [group = ''] = names
  if (names.join(' ') === 'exit-codes') return screen.print(exitCodeHelp())
  const command = findCommand(names.join(' '), commands)
  const { paint } = screen
  // A pager shows the help on the terminal all the same.
  const columns = screen.columns ?? screen.noteColumns ?? 80
  if (command) return screen.print(commandHelp(command, paint, columns))
  if (names.length === 0) {
    const title = `${paint.bold('Spool')} ${version}: send a video and get it back processed.`
    return screen.print(listHelp(title, commands, paint, columns))
  }
  if (!isGroupName(group, commands)) throw unknownCommand(names, commands)
  const inside = commands.filter(({ name }) => name.startsWith(`${group} `))
  screen.print(listHelp(`spool ${group}`, inside, paint, columns))
}

/** An error in the line itself must be written as the line asks, although it is not parsed yet. */
function plainCommon(words: readonly string[]): CommonFlags {
  const end = words.indexOf('--')
  const flags = end === -1 ? words : words.slice(0, end)
  return {
    json: flags.includes('--json'),
    quiet: false,
    colour: !flags.includes('--no-color'),
    profile: undefined,
    baseUrl: undefined,
  }
}
