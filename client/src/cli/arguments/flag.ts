/** What a flag takes. `list` and `object` are built of several values; docs/cli.md shows how they are written. */
type FlagKind = 'switch' | 'text' | 'number' | 'choice' | 'list' | 'object'

/** How a value inside of a list or an object is read. */
export type LeafKind = 'text' | 'number' | 'boolean' | 'any'

export type Flag = {
  /** Without the dashes. */
  name: string
  short?: string
  kind: FlagKind
  help: string
  /** What stands for the value in the help: FILE. */
  value?: string
  /** May be given several times. */
  many?: boolean
  choices?: readonly (string | number)[]
  minimum?: number
  maximum?: number
  /** A regular expression that the whole text must match. */
  pattern?: string
  example?: string
  /** What the service does without the flag. */
  usual?: string
  /** The values inside of a list or an object by their path, such as `timing.startTime`. */
  keys?: Readonly<Record<string, LeafKind>>
  /** A list whose items may be plain texts. */
  plain?: boolean
}

/** A flag that sets a field of a request. */
export type RequestFlag = Flag & { field: string }

export type Positionals = {
  /** As the help writes it: FILE|URL. */
  name: string
  least: number
  most: number
  /** The fields of a request that it sets, for faults that the service finds. */
  fields?: readonly string[]
}

export function valueName({ kind, value, choices, keys, plain }: Flag): string | undefined {
  if (kind === 'switch') return undefined
  if (value !== undefined) return value
  if (kind === 'choice' && choices) return choices.join('|')
  if (kind === 'number') return 'NUMBER'
  if (plain === true) return 'TEXT'
  if (kind === 'list' || kind === 'object') return keys ? 'KEY=VALUE,…' : 'JSON'
  return 'TEXT'
}
