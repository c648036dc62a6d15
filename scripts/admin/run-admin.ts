import { localCommandNames, runBackupCommand } from '../backup/backup-command.ts'
import { callAdmin } from './call-admin.ts'
import { describeAnswer } from './describe-answer.ts'
import { findService } from './find-service.ts'
import { parseArguments } from './parse-arguments.ts'

/** Runs a command line and returns the text for stdout. */
export async function runAdmin(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  stop: AbortSignal = new AbortController().signal,
): Promise<string> {
  const [first = '', ...rest] = argv
  if (localCommandNames.includes(first)) {
    const folder = env['INIT_CWD'] ?? process.cwd()
    return runBackupCommand(first, rest, { env, stop, folder })
  }
  const parsed = parseArguments(argv, Date.now())
  if (parsed.outcome === 'help') return parsed.text
  const target = findService(parsed.url, env)
  const answer = await callAdmin(target, parsed.request)
  if (parsed.json) return `${JSON.stringify(answer, null, 2)}\n`
  return `${describeAnswer(parsed.request.command, answer)}\n`
}
