import type { ExitCode } from '../session/exit-code.ts'
import type { Session } from '../session/session.ts'
import type { Flag, Positionals } from './flag.ts'
import type { Given } from './given.ts'

type Example = { does: string; command: string }

export type Command = {
  /** One word, or two as in `webhooks listen`. */
  name: string
  summary: string
  /** Paragraphs of the help below the summary. */
  about?: readonly string[]
  positionals?: Positionals
  flags?: readonly Flag[]
  /** Flags of their own heading in the help: what the service does with the video. */
  requestFlags?: readonly Flag[]
  examples: readonly Example[]
  /** Left out of the list of commands. */
  isHidden?: boolean
  /** Takes its words as they are, and has no flags. */
  isRaw?: boolean
  run: (given: Given, session: Session) => Promise<ExitCode | void>
}

export function flagsOf({ flags = [], requestFlags = [] }: Command): readonly Flag[] {
  return [...flags, ...requestFlags]
}
