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

type More = Omit<Flag, 'name' | 'kind' | 'help'>

/** A flag that is there or not. */
export function switchFlag(name: string, help: string, more: More = {}): Flag {
  return { name, kind: 'switch', help, ...more }
}

/** A flag with a text, for which `value` stands in the help. */
export function textFlag(name: string, value: string, help: string, more: More = {}): Flag {
  return { name, kind: 'text', value, help, ...more }
}

/** How many rows of a list are wanted. */
export function limitFlag(maximum: number): Flag {
  const range = { minimum: 1, maximum, usual: '20' }
  return { name: 'limit', short: 'n', kind: 'number', help: 'How many', ...range }
}

/** A flag with one of these values. */
export function choiceFlag(
  name: string,
  choices: Flag['choices'] & object,
  help: string,
  more: More = {},
): Flag {
  return { name, kind: 'choice', choices, help, ...more }
}

/** A flag that sets a field of a request. */
export type RequestFlag = Flag & { field: string }

/** Every command has these. */
export const commonFlags: readonly Flag[] = [
  switchFlag('json', 'Answer as JSON, for programs'),
  switchFlag('quiet', 'Say nothing but results and errors', { short: 'q' }),
  switchFlag('color', 'No colours; NO_COLOR=1 does the same', { usual: 'true' }),
  textFlag('profile', 'NAME', 'Use the service and key that `spool login --profile NAME` has kept'),
  textFlag('base-url', 'URL', 'Address of the service; instead of SPOOL_BASE_URL'),
  switchFlag('help', 'Show this help', { short: 'h' }),
]
