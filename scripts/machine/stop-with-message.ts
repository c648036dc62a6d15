/** An error that the user can act on: only its message is printed. */
export class StopWithMessage extends Error {
  override name = 'StopWithMessage'
  readonly exitCode: number

  constructor(message: string, exitCode = 1, options: ErrorOptions = {}) {
    super(message, options)
    this.exitCode = exitCode
  }
}

/** A mistake in the command line itself. */
export class UsageError extends StopWithMessage {
  constructor(message: string, options: ErrorOptions = {}) {
    super(message, 2, options)
  }
}

/** Runs a command and returns its exit code. A bug keeps its stack; a StopWithMessage is one plain message. */
export async function exitCodeOf(command: () => Promise<number>): Promise<number> {
  try {
    return await command()
  } catch (error) {
    if (!(error instanceof StopWithMessage)) throw error
    process.stderr.write(`${error.message}\n`)
    return error.exitCode
  }
}
