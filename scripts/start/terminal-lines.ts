import { stripVTControlCharacters } from 'node:util'
import { jsonOf } from './log-files.ts'

/** The part of the output that a developer wants to see: what went wrong. The rest is in the log files. */
export function terminalLine(part: string, line: string, verbose: boolean): string | undefined {
  const json = jsonOf(line)
  const plain = stripVTControlCharacters(line).trimEnd()
  if (verbose) return plain === '' ? undefined : `[${part}] ${json?.text ?? plain}`
  if (json?.fields['event'] === 'mail') return mailText(json.fields)
  if (json) return isFault(json.fields) ? `[${part}] ${json.text}` : undefined
  return /\[ERROR\]|\[(runtime|wrangler):error\]/.test(plain) ? `[${part}] ${plain}` : undefined
}

/** A mail that a deployed service would send. On one's own machine the terminal is the letter box. */
function mailText({ to, subject, text }: Record<string, unknown>): string {
  const lines = [
    `To: ${String(to)}`,
    `Subject: ${String(subject)}`,
    '',
    ...String(text).trimEnd().split('\n'),
  ]
  return ['Mail', ...lines.map((line) => `  ${stripVTControlCharacters(line)}`)].join('\n')
}

function isFault(fields: Record<string, unknown>): boolean {
  const { level, status } = fields
  return level === 'error' || (typeof status === 'number' && status >= 500)
}
