import { parseArgs } from 'node:util'
import { UsageError } from '../session/command-error.ts'
import type { CommonFlags } from '../session/session.ts'
import { flagsOf, Typed, type Command, type FlagValue } from './command.ts'
import { switchFlag, commonFlags, type Flag } from './flag.ts'
import { readValue } from './read-value.ts'

export type ParsedLine =
  | { outcome: 'help'; of: readonly string[]; common: CommonFlags }
  | { outcome: 'version' }
  | { outcome: 'run'; command: Command; given: Typed; common: CommonFlags }

const versionFlag: Flag = switchFlag('version', 'Show the version', { short: 'V' })
export const rootFlags: readonly Flag[] = [...commonFlags, versionFlag]

/** What a command line wants; does nothing yet. Throws a UsageError that says what to write instead. */
export function parseLine(words: readonly string[], commands: readonly Command[]): ParsedLine {
  const { before, names, rest } = splitLine(words, commands)
  const root = readFlags(before, rootFlags)
  if (root.values.has('version')) return { outcome: 'version' }
  const common = commonOf(new Typed([], root.values))
  const [first] = names
  if (first === undefined) return { outcome: 'help', of: [], common }
  if (first === 'help') {
    return { outcome: 'help', of: rest.filter((word) => !word.startsWith('-')), common }
  }
  const command = findCommand(names.join(' '), commands)
  if (!command) return parseGroup(names, rest, commands, common)
  if (command.isRaw) return { outcome: 'run', command, given: new Typed(rest, new Map()), common }
  const { positionals, values } = readFlags(rest, [...flagsOf(command), ...commonFlags])
  const all = new Typed(positionals, new Map([...root.values, ...values]))
  if (all.isOn('help'))
    return { outcome: 'help', of: command.name.split(' '), common: commonOf(all) }
  checkPositionals(command, positionals)
  return { outcome: 'run', command, given: all, common: commonOf(all) }
}

type Split = { before: string[]; names: string[]; rest: string[] }

/** Flags that come first, then the words of a command, then what belongs to it. */
function splitLine(words: readonly string[], commands: readonly Command[]): Split {
  let start = 0
  while (start < words.length && words[start]?.startsWith('-')) {
    const flag = rootFlags.find(({ name }) => words[start] === `--${name}`)
    start += flag && flag.kind !== 'switch' ? 2 : 1
  }
  const [first, second] = words.slice(start)
  const isGroup = first !== undefined && isGroupName(first, commands)
  const count = isGroup && second !== undefined && !second.startsWith('-') ? 2 : 1
  return {
    before: words.slice(0, start),
    names: words.slice(start, start + count),
    rest: words.slice(start + count),
  }
}

export function isGroupName(word: string, commands: readonly Command[]): boolean {
  return commands.some(({ name }) => name.startsWith(`${word} `))
}

export function findCommand(name: string, commands: readonly Command[]): Command | undefined {
  return commands.find((command) => command.name === name)
}

/** `spool keys` lists what there is; `spool keys crate` is a typo. */
function parseGroup(
  names: readonly string[],
  rest: readonly string[],
  commands: readonly Command[],
  common: CommonFlags,
): ParsedLine {
  const [group = '', name] = names
  if (isGroupName(group, commands) && name === undefined) {
    const { values } = readFlags(rest, commonFlags)
    if (values.size === 0 || values.has('help')) return { outcome: 'help', of: [group], common }
    throw new UsageError(`What about ${group}? See \`spool ${group} --help\`.`)
  }
  throw unknownCommand(names, commands)
}

export function unknownCommand(names: readonly string[], commands: readonly Command[]): UsageError {
  const shown = names.join(' ')
  const known = commands.filter(({ isHidden }) => !isHidden).map((command) => command.name)
  const groups = known.flatMap((name) => (name.includes(' ') ? [name.split(' ')[0] ?? ''] : []))
  const hints = suggestion(shown, [...known, ...new Set(groups)])
  return new UsageError(`There is no command ${shown}.`, [
    ...hints,
    '`spool --help` lists all commands.',
  ])
}

function commonOf(given: Typed): CommonFlags {
  return {
    json: given.isOn('json'),
    quiet: given.isOn('quiet'),
    colour: given.value('color') !== false,
    profile: given.text('profile'),
    baseUrl: given.text('base-url'),
  }
}

function checkPositionals({ name, positionals }: Command, given: readonly string[]): void {
  const { least, most, name: what } = positionals ?? { least: 0, most: 0, name: '' }
  const hint = [`See \`spool ${name} --help\`.`]
  if (given.length < least) throw new UsageError(`${what} is missing.`, hint)
  const extra = given[most]
  if (extra !== undefined) throw new UsageError(`"${extra}" is one argument too many.`, hint)
}

type ReadLine = { positionals: string[]; values: Map<string, FlagValue> }

/** Sorts words into flags and the rest. After `--`, everything is the rest, so that a file may be called `-x`. */
function readFlags(words: readonly string[], flags: readonly Flag[]): ReadLine {
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
    return isValue ? word : `${word}=${flag.orSwitch ? 'true' : '{}'}`
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
  const negated = flags.find((one) => isSwitch(one) && name === `no-${one.name}`)
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
  } else if (kind === 'object' && typeof before === 'object' && typeof value === 'object') {
    values.set(name, { ...before, ...value })
  } else if (many)
    values.set(name, [...(Array.isArray(before) ? (before as unknown[]) : []), value])
  else values.set(name, value)
}

function isSwitch({ kind, orSwitch }: Flag): boolean {
  return kind === 'switch' || orSwitch === true
}

function unknownFlag(shown: string, flags: readonly Flag[]): UsageError {
  const names = flags.map(({ name }) => `--${name}`)
  const negations = flags.filter(isSwitch).map(({ name }) => `--no-${name}`)
  const known = shown.startsWith('--no-') ? negations : names
  const [, whole = '', inner = ''] = /^--([\w-]+)\.(.+)$/.exec(shown) ?? []
  const outer = flags.find(({ name, keys }) => name === whole && keys)
  if (outer) {
    return new UsageError(`There is no flag ${shown}.`, [`Write \`--${whole} ${inner}=VALUE\`.`])
  }
  const hints = shown.startsWith('--') ? suggestion(shown, known) : []
  return new UsageError(`There is no flag ${shown}.`, hints)
}

/** The known name that was probably meant: the same in another spelling, or a typo away. */
function closestName(asked: string, known: readonly string[]): string | undefined {
  const plain = plainName(asked)
  if (plain === '') return undefined
  const same = known.find((name) => plainName(name) === plain)
  if (same !== undefined) return same
  const ranked = known
    .map((name) => ({ name, edits: editsBetween(plain, plainName(name)) }))
    .sort((a, b) => a.edits - b.edits)
  const best = ranked[0]
  if (best && best.edits <= (Math.min(plain.length, plainName(best.name).length) < 5 ? 1 : 2)) {
    return best.name
  }
  // `--quality` for `--compression-quality`.
  const containing = known.filter((name) => plain.length > 3 && plainName(name).includes(plain))
  return containing.length === 1 ? containing[0] : undefined
}

function suggestion(asked: string, known: readonly string[]): readonly string[] {
  const closest = closestName(asked, known)
  return closest === undefined ? [] : [`Did you mean ${closest}?`]
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

/** Letters to add, remove, replace or swap. */
function editsBetween(one: string, other: string): number {
  const a = one.slice(0, 64)
  const b = other.slice(0, 64)
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(
        Math.min(
          at(last, j) + 1,
          at(row, j - 1) + 1,
          at(last, j - 1) + (isSame ? 0 : 1),
          isSwap ? at(before, j - 2) + 1 : Infinity,
        ),
      )
    }
    before = last
    last = row
  }
  return at(last, b.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity
}
