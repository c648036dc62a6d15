import { stripVTControlCharacters } from 'node:util'
import { jsonOf } from './log-files.ts'
import type { News } from './news.ts'

type Fields = Readonly<Record<string, unknown>>

/** The part of the output that an operator wants to see: what went wrong. The rest is in the log files. */
export function newsOf(part: string, line: string, verbose: boolean): News | undefined {
  const json = jsonOf(line)
  const plain = stripVTControlCharacters(line).trimEnd()
  if (!verbose && json?.fields['event'] === 'mail') return mailNews(json.fields)
  if (json) {
    const isShown = verbose || isFault(json.fields)
    if (!isShown) return undefined
    const text = `[${part}] ${verbose ? json.text : readable(json.fields)}`
    return { event: 'log', level: levelOf(json.fields), text, fields: { part, line: json.fields } }
  }
  const isError = isRefusal(plain) || /\[ERROR\]|\[(runtime|wrangler):error\]/.test(plain)
  if (plain === '' || !(verbose || isError)) return undefined
  const level = isError ? 'error' : 'info'
  return { event: 'log', level, text: `[${part}] ${plain}`, fields: { part, text: plain } }
}

/** A media worker says this of its settings, and would say it again after every restart. */
export function isRefusal(line: string): boolean {
  return line.startsWith('The media worker cannot start: ')
}

/** A mail that a deployed service would send. Without a mail service the terminal shows it instead. */
function mailNews({ to, subject, text }: Fields): News {
  const lines = [
    `To: ${String(to)}`,
    `Subject: ${String(subject)}`,
    '',
    ...String(text).trimEnd().split('\n'),
  ]
  const letter = ['Mail', ...lines.map((line) => `  ${stripVTControlCharacters(line)}`)].join('\n')
  // The link in it signs somebody in, and machines keep what they are told.
  return { event: 'mail', text: letter, fields: { to, subject } }
}

/** Fields that a line of the terminal says in other words, or that only the log has. */
const leftOut = new Set(['level', 'at', 'time', 'stack', 'event', 'message', 'error', 'fault'])
const ofAnswers = new Set(['method', 'route', 'status', 'durationMs'])

/** A line of a log as a person reads it: what happened, why, and by which names to find more of it. */
function readable(fields: Fields): string {
  const { event, message, error, fault, causes } = fields
  const text = (name: string) => String(fields[name])
  const isAnswer = event === 'request'
  const what = isAnswer
    ? `${text('method')} ${text('route')} was answered with ${text('status')} after ${text('durationMs')} ms`
    : [event, message, 'an error'].find((word) => typeof word === 'string')
  const why = [error ?? fault, ...(Array.isArray(causes) ? (causes as unknown[]) : [])]
  const names = Object.entries(fields).filter(
    ([name, value]) =>
      ['string', 'number', 'boolean'].includes(typeof value) &&
      !leftOut.has(name) &&
      !(isAnswer && ofAnswers.has(name)),
  )
  const more = names.map(([name, value]) => `${name} ${String(value)}`).join(', ')
  const said = [what, ...why].filter((part) => typeof part === 'string' && part !== '').join(': ')
  return (more === '' ? said : `${said} (${more})`).replace(/\p{Cc}+/gu, ' ')
}

function levelOf({ level }: Fields): 'info' | 'warn' | 'error' {
  return level === 'warn' || level === 'error' ? level : 'info'
}

/** The watch on the disk reports once that the disk is full. */
function isFault({ level, status }: Fields): boolean {
  return level === 'error' || (typeof status === 'number' && status >= 500 && status !== 507)
}
