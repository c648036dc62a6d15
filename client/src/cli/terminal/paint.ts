import { randomUUID } from 'node:crypto'

type Variables = Readonly<Record<string, string | undefined>>

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const

export type Paint = Record<keyof typeof codes, (text: string) => string>

/** Begins a colour code of ours. Nobody else can write it, so what a service says cannot pass for it. */
const mark = `\u0000${randomUUID()}`
export const markedCodes = new RegExp(`${mark}(\\d+m)`, 'gu')

/** What would move the cursor, change colours, or turn the direction of the text around it. */
export const unsafe = /[^\P{Cc}\n\t]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/** A text as a terminal may have it: escapes what a service or a file could do to it, and lets our own colours through. */
export function shownText(text: string): string {
  return text
    .split(markedCodes)
    .map((part, i) => (i % 2 === 1 ? `\u001b[${part}` : escapedText(part)))
    .join('')
}

/** As JSON has it, so that JSON which is escaped this way says the same. */
export function escapedText(text: string): string {
  return text.replaceAll(
    unsafe,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Text in colours, or plain text where nobody wants or sees colours. */
export function makePaint(isColoured: boolean): Paint {
  const painters = Object.entries(codes).map(([name, code]) => [
    name,
    (text: string) => (isColoured && text !== '' ? `${mark}${code}m${text}${mark}0m` : text),
  ])
  return Object.fromEntries(painters) as Paint
}

/** As https://no-color.org and Node's own FORCE_COLOR have it. */
export function wantsColour(env: Variables, isTerminal: boolean): boolean {
  if (isSet(env['NO_COLOR'])) return false
  if (isSet(env['FORCE_COLOR'])) return env['FORCE_COLOR'] !== '0'
  return isTerminal && env['TERM'] !== 'dumb'
}

/** Whether a terminal shows more than ASCII. */
export function knowsUnicode(env: Variables, platform: string): boolean {
  if (platform === 'win32') return isSet(env['WT_SESSION']) || isSet(env['TERM_PROGRAM'])
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find(isSet) ?? ''
  return platform === 'darwin' || /utf-?8/i.test(locale)
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== ''
}
