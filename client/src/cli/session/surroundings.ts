import type { Readable } from 'node:stream'
import type { TerminalOutput } from '../terminal/screen.ts'

type Input = Readable & {
  isTTY?: boolean | undefined
  setRawMode?: (isRaw: boolean) => unknown
}

/** Everything outside of the program that a command uses; a test passes its own. */
export type Surroundings = {
  env: Readonly<Record<string, string | undefined>>
  platform: string
  homeFolder: string
  stdin: Input
  stdout: TerminalOutput & NodeJS.WritableStream
  stderr: TerminalOutput
  now: () => number
  /** Calls the listener at Ctrl-C and when the process is asked to end, until the returned function is called. */
  onInterrupt: (listener: (signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP') => void) => () => void
}
