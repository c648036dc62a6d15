import { readFileSync } from 'node:fs'
import { CommandError, UsageError } from '../session/command-error.ts'
import { exitCodes } from '../session/exit-code.ts'
import type { Flag, LeafKind } from './flag.ts'
import type { FlagValue } from './command.ts'

/** The value of a flag as the request carries it. What is certainly wrong is refused before anything is sent. */
export function readValue(flag: Flag, text: string): FlagValue {
  if (flag.kind === 'switch') return readSwitch(`--${flag.name}`, text)
  if (flag.kind === 'choice') return readChoice(flag, text)
  if (flag.kind === 'number') return readNumber(`--${flag.name}`, text, flag)
  if (flag.kind === 'list' || flag.kind === 'object') return readStructure(flag, text)
  return readText(flag, text)
}

function readSwitch(what: string, text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  throw new UsageError(`${what} is true or false, not "${text}".`)
}

function readChoice({ name, choices = [] }: Flag, text: string): string | number {
  const found = choices.find((choice) => String(choice).toLowerCase() === text.toLowerCase())
  if (found !== undefined) return found
  throw new UsageError(`--${name} must be one of ${choices.join(', ')}, not "${text}".`)
}

type Range = Pick<Flag, 'minimum' | 'maximum'>

function readNumber(what: string, text: string, { minimum, maximum }: Range = {}): number {
  const number = text.trim() === '' ? NaN : Number(text)
  const range = rangeText(minimum, maximum)
  if (!Number.isFinite(number)) {
    throw new UsageError(`${what} must be a number${range}, not "${text}".`)
  }
  if (number < (minimum ?? -Infinity) || number > (maximum ?? Infinity)) {
    throw new UsageError(`${what} must be${range}, not ${text}.`)
  }
  return number
}

export function rangeText(minimum: number | undefined, maximum: number | undefined): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`
  if (minimum !== undefined) return ` of at least ${minimum}`
  return maximum === undefined ? '' : ` of at most ${maximum}`
}

function readText({ name, pattern, example }: Flag, text: string): string {
  if (pattern === undefined || new RegExp(pattern, 'u').test(text)) return text
  const hint = example === undefined ? [] : [`An example: --${name} '${example}'`]
  throw new UsageError(`--${name} cannot be "${text}".`, hint)
}

/** JSON, `@FILE` with JSON, `key=value,key=value`, or a plain text where a list takes texts. */
function readStructure(flag: Flag, text: string): object | string | boolean {
  if (flag.orSwitch === true && (text === 'true' || text === 'false')) return text === 'true'
  if (flag.plain === true && !/^\s*[[{]|^@|^[a-z]+=/i.test(text)) return text
  const value = /^\s*[[{]/.test(text) || text.startsWith('@') ? readJson(flag, text) : undefined
  if (value === undefined) return readPairs(flag, text)
  if (typeof value !== 'object' || value === null) {
    throw new UsageError(`--${flag.name} must be JSON with braces or brackets.`)
  }
  if (flag.kind === 'object' && Array.isArray(value)) {
    throw new UsageError(`--${flag.name} must be one JSON object.`)
  }
  return value
}

function readJson({ name }: Flag, text: string): unknown {
  return text.startsWith('@')
    ? parseJson(readTextFile(text.slice(1)), text.slice(1))
    : parseJson(text, `--${name}`)
}

export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${what} is not JSON: ${(error as Error).message}`)
  }
}

export function readTextFile(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    const { message } = error as Error
    throw new CommandError(`${file} cannot be read: ${message}`, exitCodes.localFile)
  }
}

function readPairs({ name, keys = {} }: Flag, text: string): object {
  const result = {}
  // A comma belongs to a value, unless a name and `=` come next.
  for (const pair of text.split(/,(?=[A-Za-z_][\w.-]*=)/)) {
    const [, key, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? []
    if (key === undefined || value === undefined) {
      throw new UsageError(`--${name} takes key=value or JSON, not "${pair}".`)
    }
    put(result, key.split('.'), readLeaf(keys[key] ?? 'any', value, `--${name} ${key}`))
  }
  return result
}

function readLeaf(kind: LeafKind, text: string, what: string): unknown {
  if (kind === 'text') return text
  if (kind === 'number') return readNumber(what, text)
  // 12.50 or 0:12.5, which the service reads.
  if (kind === 'time')
    return Number.isFinite(Number(text)) && text.trim() !== '' ? Number(text) : text
  if (kind === 'boolean' || text === 'true' || text === 'false') return readSwitch(what, text)
  // A number that would be written differently, such as 007, was meant as a text.
  const number = Number(text)
  return String(number) === text ? number : text
}

/** Sets `timing.startTime` in an object, and makes what is missing on the way. */
export function put(target: object, path: readonly string[], value: unknown): void {
  const [key = '', ...rest] = path
  if (key === '__proto__') throw new UsageError('No field is called __proto__.')
  const fields = target as Record<string, unknown>
  if (rest.length === 0) {
    fields[key] = value
    return
  }
  const inner = fields[key]
  const next =
    typeof inner === 'object' && inner !== null ? inner : /^\d+$/.test(rest[0] ?? '') ? [] : {}
  fields[key] = next
  put(next, rest, value)
}
