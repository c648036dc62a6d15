import { adminRequest, type AdminRequest } from '../../worker/contract/people/admin.ts'
import { localCommandNames } from '../backup/backup-command.ts'
import { sortWords } from '../machine/read-options.ts'
import { UsageError } from '../machine/stop-with-message.ts'
import { suggestion } from '../machine/suggestion.ts'
import { commandsOf, groupNames, commandGroups, type Command } from './commands.ts'
import { scopes } from '../../worker/contract/people/api-key.ts'
import { parseInput } from '../../worker/contract/input/parse-input.ts'

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

const fieldNames: Readonly<Record<string, string>> = {
  account: 'accountId',
  expires: 'expiresAt',
  video: 'videoId',
}

/** `--retain-sources-days 7` → `{ retainSourcesDays: 7 }`, checked by the schema that the service uses too. */
function toRequest(
  name: string,
  command: Command,
  values: Readonly<Record<string, string>>,
  nowMs: number,
): AdminRequest {
  const draft: Record<string, unknown> = { command: name }
  const optionOf: Record<string, string> = {}
  for (const [option, { kind, required, none }] of Object.entries(command.options)) {
    const text = values[option]
    if (text === undefined && required) throw new UsageError(`--${option} is missing.`)
    const field = fieldNames[option] ?? camelCase(option)
    optionOf[field] = `--${option}`
    if (text !== undefined) {
      draft[field] = text === none ? null : readValue(option, kind, text, nowMs)
    }
  }
  if (command.argument) {
    draft[command.argument.field] = values[command.argument.field]
    optionOf[command.argument.field] = command.argument.name
  }
  if (name === 'accounts.change' && Object.keys(draft).length <= 2) {
    throw new UsageError('Name at least one thing to change; --help lists them.')
  }
  if (name === 'keys.create') draft['scopes'] ??= [...scopes]
  const parsed = parseInput(adminRequest, draft)
  if (parsed.ok) return parsed.value
  const faults = parsed.faults.map(({ field, message }) => {
    const [name = field] = field.split(/[.[]/, 1)
    return `${optionOf[name] ?? field}: ${message}`
  })
  throw new UsageError([...new Set(faults)].join('\n'))
}

function readValue(
  option: string,
  kind: 'number' | 'amount' | undefined,
  text: string,
  nowMs: number,
): unknown {
  if (option === 'scopes') return text.split(',').map((scope) => scope.trim())
  if (option === 'expires') return readExpiry(text, nowMs)
  if (kind === 'amount') {
    if (!/^\d{1,9}(\.\d{1,6})?$/.test(text))
      throw new UsageError(`--${option}: Must be an amount such as 25 or 0.5`)
    return Number(text)
  }
  if (kind !== 'number') return text
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`--${option}: Must be a whole number`)
  return Number(text)
}

/** A date without a time means its first moment in UTC, wherever this runs. */
function readExpiry(text: string, nowMs: number): string {
  const withTime = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text
  const isDate = /^\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:\d{2})$/.test(withTime)
  const atMs = isDate ? Date.parse(withTime) : Number.NaN
  // Date.parse() would turn 2027-02-30 into a day in March.
  if (Number.isNaN(atMs) || (withTime.endsWith('Z') && !sameDay(withTime, atMs))) {
    throw new UsageError('--expires: Must be a date such as 2027-01-01, or 2027-01-01T12:00:00Z')
  }
  if (atMs <= nowMs) throw new UsageError('--expires: Must be in the future')
  return new Date(atMs).toISOString()
}

function sameDay(text: string, atMs: number): boolean {
  return new Date(atMs).toISOString().startsWith(text.slice(0, 10))
}

function camelCase(option: string): string {
  return option.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
