import type { ExitCode } from '../session/exit-code.ts'
import type { Session } from '../session/session.ts'
import type { Flag } from './flag.ts'

export type Command = {
  /** One word, or two as in `webhooks listen`. */
  name: string
  summary: string
  /** Paragraphs of the help below the summary. */
  about?: readonly string[]
  positionals?: Positionals
  flags?: readonly Flag[]
  /** Flags under their own heading in the help: what the service does with the video. */
  requestFlags?: readonly Flag[]
  /** Command lines, by what each does. */
  examples: Readonly<Record<string, string>>
  /** Left out of the list of commands. */
  isHidden?: boolean
  /** Takes its words as they are, and has no flags. */
  isRaw?: boolean
  run: (given: Typed, session: Session) => Promise<ExitCode | void>
}

export function flagsOf({ flags = [], requestFlags = [] }: Command): readonly Flag[] {
  return [...flags, ...requestFlags]
}

type Positionals = {
  /** As the help writes it: FILE|URL. */
  name: string
  least: number
  most: number
  /** The fields of a request that it sets, for faults that the service finds. */
  fields?: readonly string[]
}

export type FlagValue = string | number | boolean | object | readonly unknown[]

/** What a command line says, checked against the flags of its command. */
export class Typed {
  readonly positionals: readonly string[]
  readonly #values: ReadonlyMap<string, FlagValue>

  constructor(positionals: readonly string[], values: ReadonlyMap<string, FlagValue>) {
    this.positionals = positionals
    this.#values = values
  }

  value(flag: string): FlagValue | undefined {
    return this.#values.get(flag)
  }

  has(flag: string): boolean {
    return this.#values.has(flag)
  }

  isOn(flag: string): boolean {
    return this.#values.get(flag) === true
  }

  text(flag: string): string | undefined {
    const value = this.#values.get(flag)
    return typeof value === 'string' ? value : undefined
  }

  number(flag: string): number | undefined {
    const value = this.#values.get(flag)
    return typeof value === 'number' ? value : undefined
  }

  texts(flag: string): readonly string[] {
    const value = this.#values.get(flag)
    return Array.isArray(value) ? value.map(String) : []
  }

  /** The only positional of a command that needs one. */
  get first(): string {
    return this.positionals[0] ?? ''
  }
}
