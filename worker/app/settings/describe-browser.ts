const browsers: readonly (readonly [name: string, mark: RegExp])[] = [
  // Each of these says to be the next ones too.
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
  ['curl', /^curl\//],
]

const systems: readonly (readonly [name: string, mark: RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
]

/** `Firefox on Linux`: enough for people to know a session of theirs. */
export function describeBrowser(userAgent: string | null): string {
  const find = (known: typeof browsers) => known.find(([, mark]) => mark.test(userAgent ?? ''))?.[0]
  const browser = find(browsers) ?? 'An unknown browser'
  const system = find(systems)
  return system === undefined ? browser : `${browser} on ${system}`
}
