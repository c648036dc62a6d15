import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism, constants } from 'node:os'
import path from 'node:path'
import { root } from '../../scripts/machine/checkout.ts'
import type { Settings } from './settings.ts'

const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** A world leaves little memory behind, so garbage need not be collected often. */
const nodeOptions = ['--no-warnings', '--min-semi-space-size=128', '--max-semi-space-size=128']
/** The message with which a process asks for its next seed. */
const asking = 'next seed'

/** One seed after another, for as long as the settings say. */
export function* seedsOf({ seed, seeds, minutes, mostSeeds }: Settings): Generator<number> {
  const until = minutes === undefined ? Infinity : Date.now() + minutes * 60_000
  const most = minutes === undefined ? seeds : (mostSeeds ?? Infinity)
  const last = seed + most - 1
  for (let next = seed; next <= last && Date.now() <= until; next++) yield next
}

/** The seeds that the parent process gives out. */
export async function* seedsGivenOut(): AsyncGenerator<number> {
  for (;;) {
    const answer = once(process, 'message')
    process.send?.(asking)
    const [given] = (await answer) as [{ seed?: number }]
    if (given.seed === undefined) return
    yield given.seed
  }
}

/**
 * Gives seeds out to processes one by one, since a world uses one core: none is left with many while another is idle. Returns 1
 * if a seed has failed. A signal that ends this process ends the others too, because only a terminal signals all of them.
 */
export async function runSideBySide(
  settings: Settings,
  say: (line: string) => void,
): Promise<number> {
  const { seeds, mostSeeds, days, comesLate, shrinks, plants, minutes } = settings
  const most = settings.processes ?? availableParallelism()
  const processes = minutes === undefined ? Math.min(seeds, most) : most
  const children = new Set<ChildProcess>()
  const endAll = (signal: NodeJS.Signals): void => {
    for (const child of children) child.kill(signal)
  }
  for (const signal of endings) process.on(signal, endAll)
  const left = seedsOf(settings)
  let begun = 0
  const rest = [
    ...['--given', '--days', `${days}`, ...(shrinks ? [] : ['--no-shrink'])],
    ...(comesLate === true ? ['--late'] : []),
    ...(plants === undefined ? [] : ['--plant', plants]),
  ]
  const codes = await Promise.all(
    Array.from({ length: processes }, async () => {
      const child = begin(rest)
      child.on('message', () => {
        const next = left.next()
        if (next.done !== true) begun++
        child.send(next.done === true ? {} : { seed: next.value })
      })
      children.add(child)
      return codeOf(child, say).finally(() => children.delete(child))
    }),
  )
  for (const signal of endings) process.off(signal, endAll)
  if (minutes !== undefined && begun < (mostSeeds ?? 0))
    say(`After ${minutes} minutes, ${begun} of ${mostSeeds} seeds were done.`)
  return Math.max(0, ...codes)
}

function begin(args: readonly string[]): ChildProcess {
  const main = path.join(root, 'simulation', 'main.ts')
  return spawn(process.execPath, [...nodeOptions, main, ...args], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
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
