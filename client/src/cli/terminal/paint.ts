type Variables = Readonly<Record<string, string | undefined>>

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const

export type Paint = Record<keyof typeof codes, (text: string) => string>

/** Text in colours, or plain text where nobody wants or sees colours. */
export function makePaint(isColoured: boolean): Paint {
  const painters = Object.entries(codes).map(([name, code]) => [
    name,
    (text: string) => (isColoured && text !== '' ? `\u001b[${code}m${text}\u001b[0m` : text),
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
