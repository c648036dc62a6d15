import { UsageError } from '../session/command-error.ts'
import type { CommonFlags } from '../session/session.ts'
import { suggestion } from './closest-name.ts'
import { flagsOf, type Command } from './command.ts'
import { commonFlags } from './common-flags.ts'
import type { Flag } from './flag.ts'
import { Given } from './given.ts'
import { readFlags } from './read-flags.ts'

export type ParsedLine =
  | { outcome: 'help'; of: readonly string[]; common: CommonFlags }
  | { outcome: 'version' }
  | { outcome: 'run'; command: Command; given: Given; common: CommonFlags }

const versionFlag: Flag = { name: 'version', short: 'V', kind: 'switch', help: 'Show the version' }
export const rootFlags: readonly Flag[] = [...commonFlags, versionFlag]

/** What a command line wants; does nothing yet. Throws a UsageError that says what to write instead. */
export function parseLine(words: readonly string[], commands: readonly Command[]): ParsedLine {
  const { before, names, rest } = splitLine(words, commands)
  const root = readFlags(before, rootFlags)
  if (root.values.has('version')) return { outcome: 'version' }
  const common = commonOf(new Given([], root.values))
  const [first] = names
  if (first === undefined) return { outcome: 'help', of: [], common }
  if (first === 'help') {
    return { outcome: 'help', of: rest.filter((word) => !word.startsWith('-')), common }
  }
  const command = findCommand(names.join(' '), commands)
  if (!command) return parseGroup(names, rest, commands, common)
  if (command.isRaw) return { outcome: 'run', command, given: new Given(rest, new Map()), common }
  const { positionals, values } = readFlags(rest, [...flagsOf(command), ...commonFlags])
  const all = new Given(positionals, new Map([...root.values, ...values]))
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

function commonOf(given: Given): CommonFlags {
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
