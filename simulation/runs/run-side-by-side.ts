import { spawn, type ChildProcess } from 'node:child_process'
import { availableParallelism, constants } from 'node:os'
import path from 'node:path'
import { root } from '../../scripts/machine/checkout.ts'
import type { Settings } from './settings.ts'

const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Shares the seeds among processes, since a world uses one core. Returns 1 if a seed has failed. A signal that ends this process
 * ends the others too: only a terminal tells all of them.
 */
export async function runSideBySide(
  settings: Settings,
  say: (line: string) => void,
): Promise<number> {
  const { seed, seeds, days, minutes, shrinks, plants } = settings
  const processes = Math.min(seeds, settings.processes ?? availableParallelism())
  const each = minutes === undefined ? Math.ceil(seeds / processes) : 100_000_000
  const children = new Set<ChildProcess>()
  const endAll = (signal: NodeJS.Signals): void => {
    for (const child of children) child.kill(signal)
  }
  for (const signal of endings) process.on(signal, endAll)
  const codes = await Promise.all(
    Array.from({ length: processes }, async (_, i) => {
      const first = seed + i * each
      const count = Math.min(each, minutes === undefined ? seed + seeds - first : each)
      if (count <= 0) return 0
      const own = ['--seed', `${first}`, '--seeds', `${count}`, '--days', `${days}`]
      const time = minutes === undefined ? [] : ['--minutes', `${minutes}`]
      const rest = [
        ...['--processes', '1', ...(shrinks ? [] : ['--no-shrink'])],
        ...(plants === undefined ? [] : ['--plant', plants]),
      ]
      const child = begin([...own, ...time, ...rest])
      children.add(child)
      return codeOf(child, say).finally(() => children.delete(child))
    }),
  )
  for (const signal of endings) process.off(signal, endAll)
  return Math.max(0, ...codes)
}

function begin(args: readonly string[]): ChildProcess {
  const main = path.join(root, 'simulation', 'main.ts')
  return spawn(process.execPath, ['--no-warnings', '--max-semi-space-size=64', main, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

async function codeOf(child: ChildProcess, say: (line: string) => void): Promise<number> {
  let rest = ''
  child.stdout?.on('data', (text: Buffer) => {
    const lines = (rest + text.toString()).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) say(line)
  })
  return new Promise((resolve) =>
    child.on('close', (code, signal) =>
      resolve(code ?? 128 + constants.signals[signal ?? 'SIGTERM']),
    ),
  )
}
