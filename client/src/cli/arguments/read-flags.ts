import { parseArgs } from 'node:util'
import { UsageError } from '../session/command-error.ts'
import { suggestion } from './closest-name.ts'
import type { Flag } from './flag.ts'
import type { FlagValue } from './given.ts'
import { readValue } from './read-value.ts'

type ReadLine = { positionals: string[]; values: Map<string, FlagValue> }

/** Sorts words into flags and the rest. After `--`, everything is the rest, so that a file may be called `-x`. */
export function readFlags(words: readonly string[], flags: readonly Flag[]): ReadLine {
  const options = Object.fromEntries(flags.map((flag) => [flag.name, optionOf(flag)]))
  const line: ReadLine = { positionals: [], values: new Map() }
  // Not strict: parseArgs would refuse with its own words, and knows no `--no-color` in Node 18.
  const how = { strict: false, allowPositionals: true, tokens: true } as const
  for (const token of parseArgs({ args: fillIn(words, flags), options, ...how }).tokens) {
    if (token.kind === 'positional') line.positionals.push(token.value)
    else if (token.kind === 'option') readOption(token, flags, line)
  }
  return line
}

/** `--captions` alone asks for captions as they usually are: what follows it is only its value if it looks like one. */
function fillIn(words: readonly string[], flags: readonly Flag[]): string[] {
  const end = words.indexOf('--')
  return words.map((word, i) => {
    const flag = flags.find(({ name }) => word === `--${name}`)
    const isInside = end < 0 || i < end
    if (flag?.kind !== 'object' || !flag.keys || !isInside) return word
    const isValue = /^\s*[[{]|^@|^[\w.]+=/.test(words[i + 1] ?? '')
    return isValue ? word : `${word}={}`
  })
}

function optionOf({ kind, short }: Flag) {
  const type = kind === 'switch' ? ('boolean' as const) : ('string' as const)
  return { type, ...(short === undefined ? {} : { short }) }
}

type Option = {
  name: string
  rawName: string
  value?: string | undefined
  inlineValue?: boolean | undefined
}

function readOption(option: Option, flags: readonly Flag[], line: ReadLine): void {
  const { name, rawName, value } = option
  const flag = flags.find((one) => one.name === name)
  const negated = flags.find((one) => one.kind === 'switch' && name === `no-${one.name}`)
  if (flag) keep(line, flag, takeValue(flag, option))
  else if (negated && value === undefined) keep(line, negated, false)
  else throw unknownFlag(rawName, flags)
}

function takeValue(flag: Flag, { rawName, value, inlineValue }: Option): FlagValue {
  if (flag.kind === 'switch') return value === undefined ? true : readValue(flag, value)
  if (value === undefined || (inlineValue !== true && /^--\w/.test(value))) {
    throw new UsageError(`${rawName} needs a value.`, [
      ...(flag.choices ? [`One of ${flag.choices.join(', ')}.`] : []),
    ])
  }
  const isShort = inlineValue === true && !rawName.startsWith('--')
  return readValue(flag, isShort ? value.replace(/^=/, '') : value)
}

function keep({ values }: ReadLine, { name, kind, many }: Flag, value: FlagValue): void {
  const before = values.get(name)
  if (kind === 'list') {
    values.set(name, [...(Array.isArray(before) ? (before as unknown[]) : []), value].flat())
  } else if (kind === 'object' && typeof before === 'object') {
    values.set(name, { ...before, ...(value as object) })
  } else if (many)
    values.set(name, [...(Array.isArray(before) ? (before as unknown[]) : []), value])
  else values.set(name, value)
}

function unknownFlag(shown: string, flags: readonly Flag[]): UsageError {
  const names = flags.map(({ name }) => `--${name}`)
  const negations = flags.filter(({ kind }) => kind === 'switch').map(({ name }) => `--no-${name}`)
  const known = shown.startsWith('--no-') ? negations : names
  const [, whole = '', inner = ''] = /^--([\w-]+)\.(.+)$/.exec(shown) ?? []
  const outer = flags.find(({ name, keys }) => name === whole && keys)
  if (outer) {
    return new UsageError(`There is no flag ${shown}.`, [`Write \`--${whole} ${inner}=VALUE\`.`])
  }
  const hints = shown.startsWith('--') ? suggestion(shown, known) : []
  return new UsageError(`There is no flag ${shown}.`, hints)
}
