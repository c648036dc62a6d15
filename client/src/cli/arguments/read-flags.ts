import { UsageError } from '../session/command-error.ts'
import { suggestion } from './closest-name.ts'
import type { Flag } from './flag.ts'
import type { FlagValue } from './given.ts'
import { readValue } from './read-value.ts'

export type ReadLine = { positionals: string[]; values: Map<string, FlagValue> }

/** Sorts words into flags and the rest. After `--`, everything is the rest, so that a file may be called `-x`. */
export function readFlags(words: readonly string[], flags: readonly Flag[]): ReadLine {
  const line: ReadLine = { positionals: [], values: new Map() }
  const waiting = [...words]
  for (let word = waiting.shift(); word !== undefined; word = waiting.shift()) {
    if (word === '--') {
      line.positionals.push(...waiting)
      break
    }
    if (!word.startsWith('-') || word === '-') line.positionals.push(word)
    else if (word.startsWith('--')) readLong(word, waiting, flags, line)
    else readShort(word, waiting, flags, line)
  }
  return line
}

function readLong(word: string, waiting: string[], flags: readonly Flag[], line: ReadLine): void {
  const [, name = '', , attached] = /^--([^=]+)(=(.*))?$/s.exec(word) ?? []
  const flag = flags.find((one) => one.name === name)
  const negated = flags.find((one) => one.kind === 'switch' && name === `no-${one.name}`)
  if (!flag && negated && attached === undefined) keep(line, negated, false)
  else if (!flag) throw unknownFlag(`--${name}`, flags)
  else keep(line, flag, takeValue(flag, attached, waiting, `--${name}`))
}

/** `-qo out.mp4`, `-oout.mp4`: letters of switches, then one that takes a value. */
function readShort(word: string, waiting: string[], flags: readonly Flag[], line: ReadLine): void {
  for (let index = 1; index < word.length; index++) {
    const letter = word[index]
    const flag = flags.find(({ short }) => short === letter)
    if (!flag) throw unknownFlag(`-${letter}`, flags)
    const rest = word.slice(index + 1)
    const attached = flag.kind === 'switch' || rest === '' ? undefined : rest.replace(/^=/, '')
    keep(line, flag, takeValue(flag, attached, waiting, `-${letter}`))
    if (flag.kind !== 'switch') return
  }
}

function takeValue(
  flag: Flag,
  attached: string | undefined,
  waiting: string[],
  shown: string,
): FlagValue {
  if (flag.kind === 'switch') return attached === undefined ? true : readValue(flag, attached)
  const next = attached ?? waiting.shift()
  if (next === undefined || (attached === undefined && /^--\w/.test(next))) {
    throw new UsageError(`${shown} needs a value.`, [
      ...(flag.choices ? [`One of ${flag.choices.join(', ')}.`] : []),
    ])
  }
  return readValue(flag, next)
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
  const hints = shown.startsWith('--') ? suggestion(shown, known) : []
  return new UsageError(`There is no flag ${shown}.`, hints)
}
