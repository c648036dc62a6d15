/** What a flag takes. `list` and `object` are built of several values; docs/cli.md shows how they are written. */
type FlagKind = 'switch' | 'text' | 'number' | 'choice' | 'list' | 'object'

/** How a value inside of a list or an object is read. */
export type LeafKind = 'text' | 'number' | 'time' | 'boolean' | 'any'

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
  /** An object that a switch may stand for: `--waveform` alone, and `--no-waveform`. */
  orSwitch?: boolean
  /** A list whose items may be plain texts. */
  plain?: boolean
}

/** A flag that sets a field of a request. */
export type RequestFlag = Flag & { field: string }

/** Every command has these. */
export const commonFlags: readonly Flag[] = [
  { name: 'json', kind: 'switch', help: 'Answer as JSON, for programs' },
  { name: 'quiet', short: 'q', kind: 'switch', help: 'Say nothing but results and errors' },
  { name: 'color', kind: 'switch', usual: 'true', help: 'No colours; NO_COLOR=1 does the same' },
  {
    name: 'profile',
    kind: 'text',
    value: 'NAME',
    help: 'Use the service and key that `spool login --profile NAME` has kept',
  },
  {
    name: 'base-url',
    kind: 'text',
    value: 'URL',
    help: 'Address of the service; instead of SPOOL_BASE_URL',
  },
  { name: 'help', short: 'h', kind: 'switch', help: 'Show this help' },
]
