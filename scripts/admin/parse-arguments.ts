import type { AdminRequest } from '../../worker/contract/people/admin.ts'
import { localCommandNames } from '../backup/backup-command.ts'
import { sortWords } from '../machine/read-options.ts'
import { UsageError } from '../machine/stop-with-message.ts'
import { suggestion } from '../machine/suggestion.ts'
import { commandsOf, groupNames, type Command, commandGroups } from './commands.ts'
import { toRequest } from './to-request.ts'

type ParsedArguments =
  | { outcome: 'help'; text: string }
  | { outcome: 'call'; request: AdminRequest; json: boolean; url: string | undefined }

/** Parses a command line; does nothing yet. */
export function parseArguments(argv: readonly string[], nowMs: number): ParsedArguments {
  const [group, name, ...rest] = argv
  if (group === undefined || isHelp(group)) return { outcome: 'help', text: rootHelp() }
  const commands = commandsOf(group)
  if (!commands) {
    throw new UsageError(
      `Unknown command ${group}.${suggestion(group, [...groupNames, ...localCommandNames])}\n\n${rootHelp()}`,
    )
  }
  if (name === undefined || isHelp(name)) return { outcome: 'help', text: groupHelp(group) }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) {
    const near = suggestion(name, Object.keys(commands))
    throw new UsageError(`Unknown command ${group} ${name}.${near}\n\n${groupHelp(group)}`)
  }
  const { flags, values, positionals } = sortWords(rest, {
    flags: ['json', 'help'],
    values: ['url', ...Object.keys(command.options)],
  })
  if (flags.has('help')) return { outcome: 'help', text: commandHelp(group, name, command) }
  const argument = readArgument(command, positionals)
  const request = toRequest(`${group}.${name}`, command, { ...values, ...argument }, nowMs)
  return { outcome: 'call', request, json: flags.has('json'), url: values['url'] }
}

function isHelp(text: string): boolean {
  return text === '--help' || text === '-h' || text === 'help'
}

function readArgument(command: Command, positionals: readonly string[]): Record<string, string> {
  const [first, second] = positionals
  const { argument } = command
  const extra = argument ? second : first
  if (extra !== undefined) throw new UsageError(`Unexpected argument ${extra}.`)
  if (!argument) return {}
  if (first === undefined) throw new UsageError(`${argument.name} is missing.`)
  return { [argument.field]: first }
}

const everywhere = `Everywhere:
  --json         print the answer as JSON (with npm: npm run --silent admin -- …)
  --url URL      a deployed service; its secret comes from the variable SPOOL_ADMIN_SECRET.
                 Without it: the service of SPOOL_DATA_DIR (default .spool) on this machine
  --help         this text, at every level`

const localCommands = `On this machine, without the service:
  backup DIR             Copy a service, running or stopped, into a new folder in DIR
  restore DIR            Copy a backup into an empty data directory, or only check it`

function usageOf(group: string, name: string, command: Command): string {
  const parts = Object.entries(command.options).map(([option, { value, required }]) =>
    required ? `--${option} ${value}` : `[--${option} ${value}]`,
  )
  return ['npm run admin --', group, name, command.argument?.name, ...parts]
    .filter((part) => part !== undefined)
    .join(' ')
}

function rootHelp(): string {
  const groups = Object.keys(commandGroups).map((group) => listOf(group))
  return `Manage accounts, keys, jobs, webhooks and people of a service, local or deployed.\n\n${groups.join('\n')}\n\n${localCommands}\n\n${everywhere}\n`
}

function groupHelp(group: string): string {
  return `${listOf(group)}\n\n${everywhere}\n`
}

function listOf(group: string): string {
  return Object.entries(commandsOf(group) ?? {})
    .map(([name, command]) => `  ${`${group} ${name}`.padEnd(22)} ${command.summary}`)
    .join('\n')
}

function commandHelp(group: string, name: string, command: Command): string {
  const options = Object.entries(command.options).map(
    ([option, { value, meaning, required }]) =>
      `  --${option} ${value}\n        ${meaning}${required ? ' (required)' : ''}`,
  )
  const list = options.length > 0 ? `\n\n${options.join('\n')}` : ''
  return `${command.summary}.\n\n  ${usageOf(group, name, command)}${list}\n\n${everywhere}\n`
}
