import { parseArgs, type ParseArgsConfig } from 'node:util'
import { UsageError } from './stop-with-message.ts'
import { suggestion } from './suggestion.ts'

/** Parses a command line as Node does; what it refuses is a mistake in the command, and `help` follows the reason. */
export function readOptions<const Config extends ParseArgsConfig>(
  args: readonly string[],
  config: Config,
  help: string,
) {
  try {
    return parseArgs({ ...config, args: [...args] })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new UsageError(`${message}\n${help}`, { cause: error })
  }
}

export function wholeOption(
  name: string,
  text: string | undefined,
  { fallback, min, max }: { fallback: number; min: number; max: number },
): number {
  if (text === undefined) return fallback
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  throw new UsageError(`--${name} must be a whole number from ${min} to ${max}.`)
}

type Known = { readonly flags: readonly string[]; readonly values: readonly string[] }

export type SortedWords = {
  flags: Set<string>
  values: Record<string, string>
  positionals: string[]
}

/** Parses leniently and checks strictly, so that every complaint is our own and suggests the nearest known name. */
export function sortWords(args: readonly string[], known: Known): SortedWords {
  const options: NonNullable<ParseArgsConfig['options']> = {}
  for (const name of known.values) options[name] = { type: 'string' }
  for (const name of known.flags) options[name] = { type: 'boolean' }
  const sorted: SortedWords = { flags: new Set(), values: {}, positionals: [] }
  const { tokens } = parseArgs({ args: [...args], strict: false, tokens: true, options })
  for (const token of tokens) {
    if (token.kind === 'positional') sorted.positionals.push(token.value)
    if (token.kind !== 'option') continue
    if (token.rawName === '-h') sorted.flags.add('help')
    else if (known.flags.includes(token.name)) sorted.flags.add(token.name)
    else if (!known.values.includes(token.name)) {
      const names = [...known.values, ...known.flags].map((name) => `--${name}`)
      const near = suggestion(token.rawName, names)
      throw new UsageError(`Unknown option ${token.rawName}.${near}`)
    } else if (!token.value) throw new UsageError(`${token.rawName} needs a value.`)
    else sorted.values[token.name] = token.value
  }
  return sorted
}
