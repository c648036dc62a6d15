/** A reason to end that the reader can act on: its message is all that is printed. */
export class StopWithMessage extends Error {
  override name = 'StopWithMessage'
  readonly exitCode: number

  constructor(message: string, exitCode = 1, options: ErrorOptions = {}) {
    super(message, options)
    this.exitCode = exitCode
  }
}

/** Runs a command to its exit code. A fault of ours keeps its stack; a reason to stop is one plain message. */
export async function exitCodeOf(command: () => Promise<number>): Promise<number> {
  try {
    return await command()
  } catch (error) {
    if (!(error instanceof StopWithMessage)) throw error
    process.stderr.write(`${error.message}\n`)
    return error.exitCode
  }
}
