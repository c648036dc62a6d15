import { readOptions } from '../../scripts/machine/read-options.ts'
import { UsageError } from '../../scripts/machine/stop-with-message.ts'

export const help = `Runs the real service in a simulated world, and looks for broken promises.
docs/operators/reliability.md says what goes wrong there, what is promised, and what was found.

  npm run simulate                            a day of each of 20 seeds, from a seed by the clock
  npm run simulate -- --seed 7 --days 3       three days of one seed
  npm run simulate -- --seed 1 --seeds 200    200 seeds, in as many processes as there are cores
  npm run simulate -- --seed 7 --replay       tells the history of a seed, step by step on a terminal
  npm run simulate -- --scale                 a day with 100,000 videos: how long they wait, and what the database is asked
  npm run simulate -- --line                  how long the object that gives out slots computes, by the length of the line
  npm run simulate -- --mutations             plants one fault after another, and looks whether each is found

  --seed N          the first seed
  --seeds N         how many seeds
  --days D          simulated days in which something may go wrong; calm days follow (1)
  --minutes M       goes on with further seeds for this long; with --seeds, until as many are done
  --processes N     how many seeds run side by side
  --only A,B        only these faults strike; a failure prints its own
  --orders 1,2      only these orders of customers are placed
  --late            calls and answers come late in each world, and not only in every eighth
  --replay          prints the diary; on a terminal the Enter key tells the next event
  --all             the diary has every event
  --mutations       plants the faults of simulation/mutations/; with --seeds, in as many seeds each
  --plant TEXT      plants the fault whose name has this text; with --mutations, all that have it
  --scale           a busy day, beside the model of docs/operators/scale.md; half an hour on two cores
  --videos N        with --scale: how many videos the day has (100000)
  --accounts N      with --scale: of how many accounts (2000)
  --containers N    with --scale: how many there may be; few make long lines on a small day
  --given           asks the process that has begun this one for each seed
  --no-shrink       does not look for a smaller history that fails
`

export type Settings = {
  seed: number
  seeds: number
  days: number
  minutes: number | undefined
  processes: number | undefined
  only: { faults: ReadonlySet<string>; orders: ReadonlySet<number> | undefined } | undefined
  /** If absent, chance decides. */
  comesLate: true | undefined
  replays: boolean
  tellsAll: boolean
  shrinks: boolean
  /** A part of the names of the planted faults to run. */
  plants: string | undefined
  looksForPlanted: boolean
  /** The number of seeds with which a planted fault is searched for. */
  mostSeeds: number | undefined
  scale: { videos: number; accounts: number; containers: number | undefined } | undefined
  measuresLine: boolean
  /** Whether another process gives the seeds out. */
  areGiven: boolean
}

export function readSettings(args: readonly string[]): Settings {
  const { values } = readOptions(args, { options }, `\n${help}`)
  const { seed, only, orders } = values
  const faults = new Set(only === undefined || only === '' ? [] : only.split(','))
  const numbers = orders?.split(',').map(Number)
  const isOne = seed !== undefined && values.minutes === undefined
  return {
    seed: whole('seed', seed, Math.floor(Date.now() / 1000) % 1_000_000),
    seeds: whole('seeds', values.seeds, isOne ? 1 : 20),
    days: positive('days', values.days, 1),
    minutes: values.minutes === undefined ? undefined : positive('minutes', values.minutes, 1),
    processes: values.processes === undefined ? undefined : whole('processes', values.processes, 1),
    only: only === undefined ? undefined : { faults, orders: numbers && new Set(numbers) },
    comesLate: values.late || undefined,
    replays: values.replay,
    tellsAll: values.all,
    shrinks: !values['no-shrink'],
    plants: values.plant,
    looksForPlanted: values.mutations,
    measuresLine: values.line,
    areGiven: values.given,
    scale: values.scale
      ? {
          videos: whole('videos', values.videos, 100_000),
          accounts: whole('accounts', values.accounts, 2_000),
          containers:
            values.containers === undefined ? undefined : whole('containers', values.containers, 1),
        }
      : undefined,
    mostSeeds: values.seeds === undefined ? undefined : whole('seeds', values.seeds, 1),
  }
}

const text = { type: 'string' } as const
const flag = { type: 'boolean', default: false } as const
const options = {
  ...{ seed: text, seeds: text, days: text, minutes: text, processes: text },
  ...{ only: text, orders: text, plant: text, videos: text, accounts: text },
  containers: text,
  ...{
    scale: flag,
    line: flag,
    mutations: flag,
    late: flag,
    replay: flag,
    all: flag,
    given: flag,
    'no-shrink': flag,
  },
}

function whole(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new UsageError(`--${name} must be a whole number.`)
}

function positive(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback
  const value = Number(text)
  if (value > 0 && value <= 1_000) return value
  throw new UsageError(`--${name} must be a number above 0.`)
}
