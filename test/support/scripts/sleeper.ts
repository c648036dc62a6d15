import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

export type Sleeper = { child: ChildProcess; pid: number }

/** A process that does nothing until it is killed, leader of its own group. Ready when this returns. */
export async function aSleeper(...args: string[]): Promise<Sleeper> {
  return aProgram(`setInterval(() => {}, 1000); console.log('ready')`, {}, args)
}

/** A program in a process group of its own, once it has printed something. */
export async function aProgram(
  code: string,
  env: Record<string, string> = {},
  args: readonly string[] = [],
): Promise<Sleeper> {
  const child = spawn(process.execPath, ['-e', code, '--', ...args], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env['PATH'] ?? '', ...env },
  })
  await once(child.stdout, 'data')
  if (child.pid === undefined) throw new Error('The program did not start')
  return { child, pid: child.pid }
}

export async function hasEnded(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}
