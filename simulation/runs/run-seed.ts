import { Chance } from '../engine/chance.ts'
import type { Fault } from '../engine/faults.ts'
import type { Stage } from '../engine/globals.ts'
import type { Exported } from '../engine/program.ts'
import type { Plan } from '../actors/customer.ts'
import { judgeJobs, judgeRest } from '../promises/end-promises.ts'
import { Simulation } from './simulation.ts'
import { drawWeather } from './weather.ts'

export type Asked = {
  seed: number
  days: number
  /** Only these faults strike. */
  only?: ReadonlySet<string> | undefined
  keepsHistory?: boolean
}

export type Outcome = {
  seed: number
  broken: readonly string[]
  faults: readonly Fault[]
  hash: string
  events: number
  lines: readonly string[]
  videos: number
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** The year is of no importance; the hash of a history is. */
const startsAt = Date.UTC(2026, 10, 23)
const plans: readonly [Plan, ...Plan[]] = ['waits', 'waits', 'waits', 'cancels', 'deletes', 'repeats', 'renames']

/** One history: days with storms, and then calm days in which the service has to mend what is broken. */
export async function runSeed(
  started: { program: Exported; stage: Stage },
  { seed, days, only, keepsHistory }: Asked,
): Promise<Outcome> {
  const begins = startsAt + 10 * 60_000
  const weather = drawWeather(seed, begins, days)
  const simulation = new Simulation(started, { seed, startsAt, weather, only, keepsHistory: !!keepsHistory })
  const { world } = simulation
  const isBroken = (): boolean => world.broken.length > 0
  await simulation.open()
  placeOrders(simulation, { seed, begins, days })
  await world.loop.runUntil(begins + days * dayMs + 2 * hourMs, isBroken)
  simulation.calm()
  const passHours = async (hours: number): Promise<void> =>
    isBroken() ? undefined : world.loop.runUntil(world.now + hours * hourMs, isBroken)
  await passHours(3)
  if (!isBroken()) judgeJobs(simulation)
  await passHours(60)
  if (!isBroken()) judgeRest(simulation)
  const { history, faults, broken } = world
  return {
    seed,
    broken,
    faults: faults.struck,
    hash: history.hash(),
    events: history.count,
    lines: history.lines,
    videos: simulation.orders.length,
  }
}

/** Most orders come in bad hours, because nothing happens in good ones. */
function placeOrders(
  simulation: Simulation,
  { seed, begins, days }: { seed: number; begins: number; days: number },
): void {
  const chance = new Chance(seed, 'orders')
  const storms = drawWeather(seed, begins, days)
  const [first, ...more] = simulation.accounts
  if (!first) throw new Error('nobody has an account')
  for (let order = 0; order < Math.ceil(24 * days); order++) {
    const storm = storms[chance.whole(0, storms.length - 1)]
    const isBad = storm !== undefined && chance.next() < 0.8
    const at = isBad
      ? storm.from - 5 * 60_000 + chance.next() * (storm.until - storm.from + 10 * 60_000)
      : begins + chance.next() * days * dayMs
    const account = chance.pick([first, ...more])
    simulation.order(Math.max(at, simulation.world.now), account, chance.pick(plans))
  }
}
