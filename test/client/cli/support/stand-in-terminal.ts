import { PassThrough } from 'node:stream'
import type { Surroundings } from '../../../../client/src/cli/session/surroundings.ts'

type Wishes = {
  env?: Record<string, string>
  /** What is piped in. */
  input?: string
  /** Columns of the terminal; a pipe when absent. */
  columns?: number
}

class Written extends PassThrough {
  isTTY: boolean
  columns: number | undefined

  constructor(columns: number | undefined) {
    super()
    this.isTTY = columns !== undefined
    this.columns = columns
  }

  get text(): string {
    return String(this.read() ?? '')
  }
}

/** What surrounds one run of the command line, and what it wrote. */
export function standInTerminal({ env = {}, input = '', columns }: Wishes = {}) {
  const stdout = new Written(columns)
  const stderr = new Written(columns)
  const stdin = new PassThrough()
  stdin.end(input)
  const listeners = new Set<(signal: 'SIGINT') => void>()
  const surroundings: Surroundings = {
    env,
    platform: 'linux',
    homeFolder: '/nowhere',
    stdin,
    stdout,
    stderr,
    now: () => Date.now(),
    onInterrupt(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  return { surroundings, stdout, stderr, press: () => listeners.forEach((one) => one('SIGINT')) }
}
