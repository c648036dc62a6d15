import { localCommandNames, runBackupCommand } from '../backup/backup-command.ts'
import { StopWithMessage } from '../machine/stop-with-message.ts'
import { callAdmin } from './call-admin.ts'
import { describeAnswer } from './describe-answer.ts'
import { findService } from './find-service.ts'
import { parseArguments } from './parse-arguments.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Runs a command line and returns the text for stdout. */
export async function runAdmin(
  argv: readonly string[],
  env: Environment,
  stop: AbortSignal = new AbortController().signal,
): Promise<string> {
  const [first = '', ...rest] = argv
  if (localCommandNames.includes(first)) {
    const folder = env['INIT_CWD'] ?? process.cwd()
    return runBackupCommand(first, rest, { env, stop, folder })
  }
  const wish = parseArguments(argv, Date.now())
  if (wish.outcome === 'help') return wish.text
  if (wish.outcome === 'misuse') throw new StopWithMessage(wish.message, 2)
  const target = findService(wish.url, env)
  const answer = await callAdmin(target, wish.request)
  if (wish.json) return `${JSON.stringify(answer, null, 2)}\n`
  return `${describeAnswer(wish.request.command, answer)}\n`
}
