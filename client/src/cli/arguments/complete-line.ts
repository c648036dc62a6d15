import { flagsOf, type Command } from './command.ts'
import { commonFlags, type Flag } from './flag.ts'
import { findCommand, isGroupName, rootFlags } from './parse-line.ts'

type Continuation = { text: string; about: string }
/** `files`: a file on this machine belongs here, which the shell itself completes. */
export type Completion = 'files' | readonly Continuation[]

/** What may stand in place of the last of these words. */
export function completeLine(words: readonly string[], commands: readonly Command[]): Completion {
  const shown = commands.filter(({ isHidden }) => !isHidden)
  const before = words.slice(0, -1).filter((word) => !word.startsWith('-'))
  const current = words.at(-1) ?? ''
  const [first, second] = before
  if (first === undefined || first === 'help') return beginning(current, shown)
  if (isGroupName(first, shown) && second === undefined) return wordsOfGroup(first, current, shown)
  const name = isGroupName(first, shown) ? `${first} ${second}` : first
  const command = findCommand(name, shown)
  return command ? withinCommand(command, words, current) : []
}

function beginning(current: string, commands: readonly Command[]): Completion {
  if (current.startsWith('-')) return flagCandidates(rootFlags, current)
  const seen = new Map<string, Continuation>()
  for (const { name, summary } of commands) {
    const [word = '', more] = name.split(' ')
    if (!seen.has(word)) seen.set(word, { text: word, about: more ? `${word} …` : summary })
  }
  return matching([...seen.values()], current)
}

function wordsOfGroup(group: string, current: string, commands: readonly Command[]): Completion {
  if (current.startsWith('-')) return flagCandidates(commonFlags, current)
  const inside = commands.filter(({ name }) => name.startsWith(`${group} `))
  return matching(
    inside.map(({ name, summary }) => ({ text: name.slice(group.length + 1), about: summary })),
    current,
  )
}

function withinCommand(command: Command, words: readonly string[], current: string): Completion {
  const flags = [...flagsOf(command), ...commonFlags]
  const isAfterDashes = words.slice(0, -1).includes('--')
  const attached = /^(--[^=]+)=(.*)$/s.exec(current)
  if (attached && !isAfterDashes) {
    const [, name = '', value = ''] = attached
    const found = valuesOf(flagNamed(name, flags), value)
    if (found === 'files') return []
    return found.map(({ text, about }) => ({ text: `${name}=${text}`, about }))
  }
  const asking = isAfterDashes ? undefined : flagNamed(words.at(-2) ?? '', flags)
  if (asking && asking.kind !== 'switch') return valuesOf(asking, current)
  if (current.startsWith('-') && !isAfterDashes) return flagCandidates(flags, current)
  return command.positionals?.name.includes('FILE') ? 'files' : []
}

function flagNamed(word: string, flags: readonly Flag[]): Flag | undefined {
  return flags.find(({ name, short }) => word === `--${name}` || word === `-${short}`)
}

function valuesOf(flag: Flag | undefined, current: string): Completion {
  if (flag?.choices) {
    return matching(
      flag.choices.map((choice) => ({ text: String(choice), about: '' })),
      current,
    )
  }
  return flag?.value === 'FILE' ? 'files' : []
}

/** `--no-…` is offered only after `--no`, so that the list stays half as long. */
function flagCandidates(flags: readonly Flag[], current: string): Continuation[] {
  const named = flags.map(({ name, help, kind, usual }) => {
    const isOn = kind === 'switch' && usual === 'true'
    return { text: isOn ? `--no-${name}` : `--${name}`, about: help }
  })
  const negated = flags
    .filter(({ kind, orSwitch, usual }) => (kind === 'switch' || orSwitch) && usual === 'false')
    .map(({ name, help }) => ({ text: `--no-${name}`, about: `Not: ${help}` }))
  return matching(current.startsWith('--no') ? [...named, ...negated] : named, current)
}

function matching(candidates: readonly Continuation[], current: string): Continuation[] {
  return candidates.filter(({ text }) => text.startsWith(current))
}
