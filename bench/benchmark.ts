import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { readOptions, wholeOption } from '../scripts/machine/read-options.ts'
import { describeMachine } from './machine.ts'

/** `least`: with a smaller number, the benchmark would not measure what it claims. */
type Numbers = Readonly<Record<string, readonly [fallback: number, means: string, least?: number]>>
type Switches = Readonly<Record<string, string>>
type Asked<N, S> = { readonly [Name in keyof N]: number } & { readonly [Name in keyof S]: boolean }

type Options<N extends Numbers, S extends Switches> = {
  /** What the list of benchmarks says in one line. */
  readonly summary: string
  /** How long it takes with its usual options on two quiet cores. */
  readonly takes: string
  readonly about: string
  readonly numbers?: N
  readonly switches?: S
  readonly measure: (asked: Asked<N, S>, run: Run) => Promise<void>
}

/** One run of a benchmark. */
export type Run = {
  /** A folder for this run alone, deleted after it. */
  readonly folder: string
  readonly stop: AbortSignal
  /** Prints a figure with its limit, and counts whether the limit is kept. */
  readonly judge: (figure: string, limit: string, isKept: boolean) => void
  /** Registers work for the end of the run, however it ends; the work registered last is done first. */
  readonly atEnd: (work: () => unknown) => void
}

export type Benchmark = {
  readonly summary: string
  readonly takes: string
  readonly help: (name: string) => string
  /** Returns 0 if every limit is kept, 1 if one is not. */
  readonly run: (name: string, args: readonly string[], stop: AbortSignal) => Promise<number>
}

export function benchmark<
  const N extends Numbers = Record<never, never>,
  const S extends Switches = Record<never, never>,
>({ summary, takes, about, measure, ...options }: Options<N, S>): Benchmark {
  const numbers = Object.entries<Numbers[string]>(options.numbers ?? {})
  const switches = Object.entries<string>(options.switches ?? {})
  const help = (name: string): string => {
    const lines = [
      ...numbers.map(([one, [fallback, means]]) => [`${one} N`, `${means} (default: ${fallback})`]),
      ...switches,
    ]
    const rows = lines.map(([option = '', means = '']) => `  --${option.padEnd(16)}${means}\n`)
    const usage = `Usage: npm run bench -- ${name}${rows.length > 0 ? ' [options]' : ''}`
    return [usage, '', about, '', ...(rows.length > 0 ? [rows.join('')] : [])].join('\n')
  }
  const read = (name: string, args: readonly string[]): Asked<N, S> => {
    const known = {
      ...Object.fromEntries(numbers.map(([option]) => [option, { type: 'string' as const }])),
      ...Object.fromEntries(switches.map(([option]) => [option, { type: 'boolean' as const }])),
    }
    const { values } = readOptions(args, { options: known }, `\n${help(name)}`)
    const asked = numbers.map(([option, [fallback, , least = 0]]) => {
      const text = values[option] as string | undefined
      return [option, wholeOption(option, text, { fallback, min: least, max: 1e6 })]
    })
    const isOn = switches.map(([option]) => [option, values[option] === true])
    return Object.fromEntries([...asked, ...isOn]) as Asked<N, S>
  }
  const run = async (name: string, args: readonly string[], stop: AbortSignal) => {
    const asked = read(name, args)
    say(`${name}: about ${takes} on two quiet cores. Ctrl-C ends it.\n${describeMachine()}`)
    return judgeRun(async (one) => measure(asked, one), stop)
  }
  return { summary, takes, help, run }
}

async function judgeRun(measure: (run: Run) => Promise<void>, stop: AbortSignal): Promise<number> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'spool-bench-')))
  const clear = () => rmSync(folder, { recursive: true, force: true })
  process.on('exit', clear)
  const ends: (() => unknown)[] = []
  let areKept = true
  const judge = (figure: string, limit: string, isKept: boolean) => {
    areKept &&= isKept
    say(`${figure}  limit ${limit}: ${isKept ? 'ok' : 'not kept'}`)
  }
  try {
    await measure({ folder, stop, judge, atEnd: (work) => ends.push(work) })
  } finally {
    for (const end of ends.toReversed()) await end()
    clear()
    process.off('exit', clear)
  }
  const [load = 0] = loadavg()
  if (!areKept && load > availableParallelism()) say('The machine was busy with other work.')
  say(areKept ? 'ok' : 'a limit is not kept')
  return areKept ? 0 : 1
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** A quantile, interpolated between two values of the sample. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const place = share * (sorted.length - 1)
  const below = sorted[Math.floor(place)] ?? Number.NaN
  const above = sorted[Math.ceil(place)] ?? Number.NaN
  return below + (above - below) * (place - Math.floor(place))
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** The smallest and the largest value, for figures that other work on the machine distorts. */
export function range(values: readonly number[], digits: number): string {
  return `(${Math.min(...values).toFixed(digits)} … ${Math.max(...values).toFixed(digits)})`
}

/**
 * Runs both sides of a comparison alternately, in another order each round, so that other work on the machine affects both
 * alike. The first rounds only warm up, and are left out.
 */
export async function byTurns<Made, Side extends string>(
  rounds: number,
  sides: Readonly<Record<Side, () => Promise<Made>>>,
  warmUpRounds = 0,
): Promise<Record<Side, Made>[]> {
  const names = Object.keys(sides) as Side[]
  const played: Record<Side, Made>[] = []
  for (let round = -warmUpRounds; round < rounds; round++) {
    const made: Partial<Record<Side, Made>> = {}
    for (const name of round % 2 === 0 ? names : names.toReversed())
      made[name] = await sides[name]()
    if (round >= 0) played.push(made as Record<Side, Made>)
  }
  return played
}
