import { commandGroups, commandsOf, type Command } from './commands.ts'

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

export function rootHelp(): string {
  const groups = Object.keys(commandGroups).map((group) => listOf(group))
  return `Manage accounts, keys, jobs, webhooks and people of a service, local or deployed.\n\n${groups.join('\n')}\n\n${localCommands}\n\n${everywhere}\n`
}

export function groupHelp(group: string): string {
  return `${listOf(group)}\n\n${everywhere}\n`
}

function listOf(group: string): string {
  return Object.entries(commandsOf(group) ?? {})
    .map(([name, command]) => `  ${`${group} ${name}`.padEnd(22)} ${command.summary}`)
    .join('\n')
}

export function commandHelp(group: string, name: string, command: Command): string {
  const options = Object.entries(command.options).map(
    ([option, { value, meaning, required }]) =>
      `  --${option} ${value}\n        ${meaning}${required ? ' (required)' : ''}`,
  )
  const list = options.length > 0 ? `\n\n${options.join('\n')}` : ''
  return `${command.summary}.\n\n  ${usageOf(group, name, command)}${list}\n\n${everywhere}\n`
}
