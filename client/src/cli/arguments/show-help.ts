import { exitCodes } from '../session/exit-code.ts'
import type { Paint } from '../terminal/paint.ts'
import { padText, textWidth, wrapText } from '../terminal/text-width.ts'
import type { Command } from './command.ts'
import { commonFlags, type Flag } from './flag.ts'
import { rangeText } from './read-value.ts'

const widest = 100
const longestName = 30

/** The help of the whole program, or of a group such as `webhooks`. */
export function listHelp(
  title: string,
  commands: readonly Command[],
  paint: Paint,
  columns = widest,
): string {
  const shown = commands.filter(({ isHidden }) => !isHidden)
  const rows = shown.map(({ name, summary }): [string, string] => [name, summary])
  return [
    title,
    section('Commands', pairs(rows, columns, paint), paint),
    section('Every command takes', flagRows(commonFlags, columns, paint), paint),
    'More about one: spool COMMAND --help\nFor scripts: spool help exit-codes',
  ].join('\n\n')
}

export function commandHelp(command: Command, paint: Paint, columns = widest): string {
  const { summary, about = [], flags = [], requestFlags = [], examples } = command
  const width = Math.min(columns, widest)
  const text = [summary, ...about].map((part) => wrapText(part, width).join('\n'))
  return [
    `${paint.bold('Usage')}  ${usageOf(command)}`,
    ...text,
    ...(flags.length > 0 ? [section('Flags', flagRows(flags, columns, paint), paint)] : []),
    ...(requestFlags.length > 0
      ? [section('What becomes of the video', flagRows(requestFlags, columns, paint), paint)]
      : []),
    section('Every command takes', flagRows(commonFlags, columns, paint), paint),
    section('Examples', exampleLines(examples, paint), paint),
  ].join('\n\n')
}

function usageOf({ name, positionals, flags = [], requestFlags = [] }: Command): string {
  const { name: what, least, most } = positionals ?? { name: '', least: 0, most: 0 }
  const words = most === 0 ? '' : `${what}${most > 1 ? '…' : ''}`
  const flagWords = flags.length + requestFlags.length > 0 ? '[flags]' : ''
  const shown = least === 0 && words !== '' ? `[${words}]` : words
  return ['spool', name, shown, flagWords].filter((word) => word !== '').join(' ')
}

function section(heading: string, lines: readonly string[], paint: Paint): string {
  return [paint.bold(heading), ...lines.map((line) => `  ${line}`.trimEnd())].join('\n')
}

function flagRows(flags: readonly Flag[], columns: number, paint: Paint): string[] {
  return pairs(
    flags.map((flag): [string, string] => [flagText(flag), explain(flag)]),
    columns,
    paint,
  )
}

function flagText(flag: Flag): string {
  const value = valueName(flag)
  const short = flag.short === undefined ? '' : `-${flag.short}, `
  // What is on without the flag can only be turned off.
  const name = flag.kind === 'switch' && flag.usual === 'true' ? `no-${flag.name}` : flag.name
  return `${short}--${name}${value === undefined ? '' : ` ${value}`}`
}

function valueName({ kind, value, choices, keys, plain }: Flag): string | undefined {
  if (kind === 'switch') return undefined
  if (value !== undefined) return value
  if (kind === 'choice' && choices) return choices.join('|')
  if (kind === 'number') return 'NUMBER'
  if (plain === true) return 'TEXT'
  if (kind === 'list' || kind === 'object') return keys ? 'KEY=VALUE,…' : 'JSON'
  return 'TEXT'
}

function explain({
  help,
  minimum,
  maximum,
  usual,
  keys,
  many,
  kind,
  choices,
  orSwitch,
}: Flag): string {
  const paths = Object.keys(keys ?? {})
  const range = choices ? '' : rangeText(minimum, maximum).trim()
  const said = [
    help,
    range === '' ? '' : `${range[0]?.toUpperCase()}${range.slice(1)}`,
    usual === undefined || kind === 'switch' || orSwitch ? '' : `Usually ${usual}`,
    paths.length > 0 ? `Keys: ${paths.join(' ')}` : '',
    many || kind === 'list' ? 'May be given several times' : '',
  ]
  return said.filter((part) => part !== '').join('. ')
}

/** Two columns; a long first one stands on a line of its own, and so does everything on a narrow terminal. */
function pairs(rows: readonly [string, string][], columns: number, paint: Paint): string[] {
  const available = Math.min(columns, widest) - 2
  const left = Math.min(longestName, Math.max(...rows.map(([name]) => textWidth(name))))
  const isNarrow = available < left + 30
  const indent = isNarrow ? 4 : left + 2
  return rows.flatMap(([name, text]) => {
    const lines = wrapText(text, Math.max(20, available - indent))
    const fits = !isNarrow && textWidth(name) <= left
    const [first = '', ...rest] = lines
    const below = (fits ? rest : lines).map((line) => ' '.repeat(indent) + line)
    return [fits ? `${paint.cyan(padText(name, left))}  ${first}` : paint.cyan(name), ...below]
  })
}

function exampleLines(examples: Command['examples'], paint: Paint): string[] {
  return Object.entries(examples).flatMap(([does, command], index) => [
    ...(index > 0 ? [''] : []),
    paint.dim(`# ${does}`),
    ...command.split('\n'),
  ])
}

const meanings: Record<keyof typeof exitCodes, string> = {
  internal: 'a mistake of this program',
  usage: 'the command line is wrong; nothing was done',
  notAllowed: 'not logged in, or the key may not do this',
  notFound: 'there is no such video, key, preset or storage',
  refused: 'the service has refused the request; the error names what is wrong',
  videoFailed: 'the video failed; the error says why',
  videoCanceled: 'the video was canceled',
  unreachable: 'no answer, no Spool service at the address, or one that cannot work now',
  tooMany: 'too many requests for this key; the error says how long to wait',
  localFile: 'a file on this machine cannot be read or written, or exists already',
  interrupted: 'stopped by Ctrl-C or a signal',
  brokenPipe: 'the program that reads the output has ended',
}

/** `spool help exit-codes` */
export function exitCodeHelp(): string {
  const codes = Object.entries(exitCodes).map(([name, code]): [number, string] => [
    code,
    meanings[name as keyof typeof exitCodes],
  ])
  const lines = [[0, 'everything was done'] as const, ...codes].map(
    ([code, meaning]) => `  ${String(code).padStart(3)}  ${meaning}`,
  )
  return ['Exit codes', ...lines].join('\n')
}
