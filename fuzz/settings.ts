import { readOptions, wholeOption } from '../scripts/machine/read-options.ts'

export type FuzzSettings = {
  readonly seed: number
  readonly minutes: number
  /** Ends after this number of cases, however long they take. */
  readonly cases: number
  readonly jobEvery: number
  /** The number of a single case to run. */
  readonly only: number | undefined
  /** The folder of a kept case to repeat. */
  readonly replay: string | undefined
}

const ranges = {
  seed: { fallback: 1, min: 0, max: 2 ** 31 - 1 },
  minutes: { fallback: 1, min: 1, max: 1_440 },
  cases: { fallback: 10_000_000, min: 1, max: 10_000_000 },
  'job-every': { fallback: 20, min: 1, max: 10_000_000 },
  case: { fallback: 0, min: 0, max: 10_000_000 },
} as const

export const keptIn = '.spool/fuzz'

export const fuzzHelp = `Usage: npm run fuzz -- [options]

Damages valid files of every accepted format, and elements, and gives them to the media worker: bits, lengths, counts,
times, places, sizes of pictures, ends cut off. Every one has to end as a plan or a playable video, or with a plain
reason, within its time and memory; the media worker lives, and a sound job after it comes out.

  --seed N       what is damaged, and how, follows from it (default: ${ranges.seed.fallback})
  --minutes M    how long to go on (default: ${ranges.minutes.fallback})
  --cases N      stop after N cases, if that is earlier
  --job-every N  every Nth case is a whole job, the others are measured and planned (default: ${ranges['job-every'].fallback})
  --case N       only the case with this number
  --replay DIR   only the case that was kept in this folder

What fails is kept in ${keptIn}/, with the command that repeats it. The last line counts; exit code 0 when nothing failed,
1 when something did, 2 for a mistake in the options, 130 when stopped.
`

export function readFuzzSettings(args: readonly string[]): FuzzSettings {
  const text = { type: 'string' } as const
  const options = {
    seed: text,
    minutes: text,
    cases: text,
    'job-every': text,
    case: text,
    replay: text,
  }
  const { values } = readOptions(args, { options }, `\n${fuzzHelp}`)
  const whole = (name: keyof typeof ranges) => wholeOption(name, values[name], ranges[name])
  return {
    seed: whole('seed'),
    minutes: whole('minutes'),
    cases: whole('cases'),
    jobEvery: whole('job-every'),
    only: values.case === undefined ? undefined : whole('case'),
    replay: values.replay,
  }
}
