import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { root } from './checkout.ts'

type RunOptions = {
  env?: NodeJS.ProcessEnv
  cwd?: string
  /** Gets what the command says, which otherwise goes to this terminal. */
  write?: (text: string) => void
}

/** Runs a command on this terminal and returns its exit code; passes on signals. */
export async function runCommand(
  command: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<number> {
  const child = spawn(command, args, {
    cwd: options.cwd ?? root,
    env: options.env,
    stdio: options.write === undefined ? 'inherit' : ['inherit', 'pipe', 'pipe'],
  })
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => options.write?.(text))
  }
  const pass = (signal: NodeJS.Signals) => child.kill(signal)
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, pass)
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code, signal) =>
        resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
      )
    })
  } finally {
    for (const signal of signals) process.off(signal, pass)
  }
}
