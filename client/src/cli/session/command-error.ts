import { SpoolError } from '../../errors.ts'
import { exitCodes, type ExitCode } from './exit-code.ts'

/** A failure that the command line itself has found. */
export class CommandError extends SpoolError {
  override name = 'CommandError'
  readonly exitCode: ExitCode
  /** What to do about it, in lines of their own. */
  readonly hints: readonly string[]

  constructor(message: string, exitCode: ExitCode, hints: readonly string[] = []) {
    super(message)
    this.exitCode = exitCode
    this.hints = hints
  }
}

/** The command line itself is wrong. */
export class UsageError extends CommandError {
  override name = 'UsageError'

  constructor(message: string, hints: readonly string[] = []) {
    super(message, exitCodes.usage, hints)
  }
}

/** Ctrl-C, or a signal that asks the program to end. */
export class Interrupted extends CommandError {
  override name = 'Interrupted'
  readonly isByKey: boolean

  constructor(isByKey: boolean, hints: readonly string[] = []) {
    super('Stopped.', exitCodes.interrupted, hints)
    this.isByKey = isByKey
  }
}
