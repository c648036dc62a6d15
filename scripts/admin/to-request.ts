import { adminRequest, type AdminRequest } from '../../worker/contract/people/admin.ts'
import { scopes } from '../../worker/contract/people/api-key.ts'
import { parseInput } from '../../worker/contract/input/parse-input.ts'
import { UsageError } from '../machine/stop-with-message.ts'
import type { Command } from './commands.ts'

const fieldNames: Readonly<Record<string, string>> = {
  account: 'accountId',
  expires: 'expiresAt',
  video: 'videoId',
}

/** `--retain-sources-days 7` → `{ retainSourcesDays: 7 }`, checked by the schema that the service uses too. */
export function toRequest(
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
