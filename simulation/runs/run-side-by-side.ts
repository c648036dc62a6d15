import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { root } from '../../scripts/machine/checkout.ts'
import type { Settings } from './settings.ts'

/** Shares the seeds among processes, since a world uses one core. Returns 1 if a seed has failed. */
export async function runSideBySide(
  settings: Settings,
  say: (line: string) => void,
): Promise<number> {
  const { seed, seeds, days, minutes, shrinks, plants } = settings
  const processes = Math.min(seeds, settings.processes ?? availableParallelism())
  const each = minutes === undefined ? Math.ceil(seeds / processes) : 100_000_000
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
      return runOne([...own, ...time, ...rest], say)
    }),
  )
  return Math.max(0, ...codes)
}

async function runOne(args: readonly string[], say: (line: string) => void): Promise<number> {
  const main = path.join(root, 'simulation', 'main.ts')
  const child = spawn(
    process.execPath,
    ['--no-warnings', '--max-semi-space-size=32', main, ...args],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let rest = ''
  child.stdout.on('data', (text: Buffer) => {
    const lines = (rest + text.toString()).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) say(line)
  })
  return new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)))
}
